// Asks a CLI for a call, gets an unusable answer, reports during the second attempt, and waits for a signal.
import { createClient } from "../../../src/index.ts";
import { WEATHER } from "../../support/clis/call-blocks.ts";
import { plainCli } from "../../support/clis/played-cli.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type CorrectedRunReport = { readonly runId: string };

const client = createClient({ providers: [plainCli] });
let runId = "";
for await (const event of client.run("plain", { prompt: "What is the weather in Oslo?", tools: [WEATHER] })) {
  if (event.type === "run-start") runId = event.runId;
  if (event.type === "text-delta" && event.text.includes("Still")) report({ runId } satisfies CorrectedRunReport);
}
