// Starts PROGRAM (by default one with a grandchild), reports, and then waits for a signal or ends itself as ENDING says. With BEFORE=answer it
// finishes another run first, so that the guardian is already running.
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type HeldRunReport = { readonly runId: string };

const program = programProvider(process.env["PROGRAM"] ?? "keeps-grandchild");
const client = createClient({ providers: [program, programProvider("answers", { id: "good" })] });
if (process.env["BEFORE"] === "answer") await client.run("good", { prompt: "Answer." }).result();
let runId = "";
for await (const event of client.run("bad", { prompt: "Work." })) {
  if (event.type === "run-start") runId = event.runId;
  if (event.type !== "session-start") continue;
  report({ runId } satisfies HeldRunReport);
  if (process.env["ENDING"] === "exit") process.exit(7);
  if (process.env["ENDING"] === "throw")
    setImmediate(() => {
      throw new Error("the host falls over, as this test wants it to");
    });
}
