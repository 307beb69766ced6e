// Gets one answer and does not close the client.
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../program-provider.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type AnswerReport = { readonly runId: string; readonly text: string };

const client = createClient({ providers: [programProvider(process.env["PROGRAM"] ?? "")] });
const result = await client.run("bad", { prompt: "Say something." }, { keepEvents: true }).result();
const first = result.events?.[0];
if (first?.type !== "run-start") throw new Error("the run did not begin with run-start");
report({ runId: first.runId, text: result.text } satisfies AnswerReport);
