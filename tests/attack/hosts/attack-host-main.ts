// A host of the attack: takes jobs one after the other from its parent and reports what came of each.
import { createClient } from "../../../src/index.ts";
import type { AttackJob, Verdict } from "../attack-case.ts";
import { subjectOf } from "../subjects.ts";

const unowned: string[] = [];
const note = (what: string) => (error: unknown) => void unowned.push(`${what}: ${error instanceof Error ? error.stack : error}`);
process.on("unhandledRejection", note("unhandled rejection"));
process.on("uncaughtException", note("uncaught exception"));
process.on("warning", ({ name, message }) => {
  if (name !== "ExperimentalWarning") unowned.push(`warning of Node: ${name}: ${message}`);
});
process.on("disconnect", () => process.exit());
// The guardian ends with its last client; this one is never used and keeps it for the next job.
createClient();

process.on("message", (job: AttackJob) => {
  judge(job).then((verdict) => process.send?.(verdict), note(job.name));
});
process.send?.("ready");

async function judge(job: AttackJob): Promise<Verdict> {
  const { problems, counts } = await subjectOf(job.name)
    .run(job)
    .catch((error: unknown) => ({ problems: [`${error instanceof Error ? error.stack : error}`], counts: {} }));
  // A rejection that nobody handles is reported after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return { problems: [...problems, ...unowned.splice(0)], counts };
}
