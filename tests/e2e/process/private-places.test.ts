import { join } from "node:path";
import { expect, it } from "vitest";
import { guardiansOf, processesOfRun, untilFound, untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { startHost, untilNothingIsLeft } from "../host-process.ts";
import type { DeathReport } from "../hosts/dies-at-spawn.ts";
import type { HeldRunReport } from "../hosts/holds-a-run.ts";
import type { WarmReport } from "../hosts/keeps-warm.ts";
import type { AnswerReport } from "../hosts/one-answer.ts";

it.each(["", "answer"])("a host that is killed before its program starts leaves no private file (before: %j)", async (BEFORE) => {
  const host = startHost<DeathReport>("dies-at-spawn", { BEFORE });
  expect((await host.report).files.filter((name) => name.endsWith("mcp.json"))).toHaveLength(1);
  expect(await host.exit).toEqual({ code: null, signal: "SIGKILL" });
  await untilNothingIsLeft(host);
});

it.each(["SIGKILL", "SIGTERM"] as const)(
  "what a CLI writes into its temporary directory is gone after the host died of %s",
  async (signal) => {
    const host = startHost<HeldRunReport>("holds-a-run", { PROGRAM: "fills-temporary" });
    const { runId } = await host.report;
    expect(host.leftovers().filter((name) => name.endsWith("/tmp/left-by-the-cli"))).toHaveLength(1);
    process.kill(host.pid, signal);
    await host.exit;
    await untilGone(() => processesOfRun(runId));
    await untilNothingIsLeft(host);
  },
);

it.each(["SIGKILL", "SIGTERM"] as const)(
  "the directories of warm processes are gone after the host died of %s",
  async (signal) => {
    const host = startHost<WarmReport>("keeps-warm", { ENDING: "wait" });
    await host.report;
    expect(host.leftovers().filter((name) => name.endsWith("/tmp"))).not.toEqual([]);
    process.kill(host.pid, signal);
    await host.exit;
    await untilNothingIsLeft(host);
  },
);

it("the next host ends the processes and removes the files of a host that died together with its guardian", async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { BARE: "1" });
  const { runId } = await host.report;
  await untilFound(() => guardiansOf(runId), 1);
  // A host that runs on for a moment starts another guardian.
  process.kill(host.pid, "SIGSTOP");
  for (const guardian of await guardiansOf(runId)) process.kill(guardian, "SIGKILL");
  process.kill(host.pid, "SIGKILL");
  await host.exit;
  expect(isAlive(host.grandchild())).toBe(true);
  expect(host.leftovers()).not.toEqual([]);
  const next = startHost<AnswerReport>("one-answer", { PROGRAM: "answers", TMPDIR: join(host.directory, "temporary") });
  await next.report;
  await untilNothingIsLeft(host);
  await untilGone(() => processesOfRun(runId));
  await untilGone(async () => (isAlive(host.grandchild()) ? [host.grandchild()] : []));
});
