// Ends a run with calls of a host tool and makes none of them, so that the turn stays parked; prints the run. SIGTERM makes it exit.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../../src/index.ts";
import { type CliName, providerAt } from "../../support/real-clis/real-cli.ts";
import { WEATHER } from "../weather-tool.ts";

const { HOST_CLI = "", HOST_API = "" } = process.env;
process.once("SIGTERM", () => process.exit(0));
const client = createClient({ policies: false, providers: [providerAt(HOST_CLI as CliName, HOST_API)] });
let run = "";
for await (const event of client.run(HOST_CLI, { prompt: "What is the weather?", tools: [WEATHER], hostTools: "native" })) {
  if (event.type === "run-start") run = event.runId;
  if (event.type === "run-end") process.stdout.write(`${JSON.stringify({ run, finish: event.finish })}\n`);
}
await sleep(60_000);
