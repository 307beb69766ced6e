// Leaves the loop at the first text and does not close the client.
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type LeftLoopReport = { readonly runId: string };

const client = createClient({ providers: [programProvider("chatters")] });
let runId = "";
for await (const event of client.run("bad", { prompt: "Talk." })) {
  if (event.type === "run-start") runId = event.runId;
  if (event.type === "text-delta") break;
}
report({ runId } satisfies LeftLoopReport);
