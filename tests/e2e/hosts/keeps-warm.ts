// Gets answers until a process waits for the next, reports that process, and closes nothing. With ENDING=wait it then waits for a signal.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../../src/index.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type WarmReport = { readonly pid: number; readonly text: string };

const client = createClient({ providers: [rememberingProvider()] });
for (let run = 0; run < 2; run += 1) await client.run("bad", { prompt: "Say something." }).result();
while (client.warmProcesses().length === 0) await sleep(5);
const [{ pid = 0 } = {}] = client.warmProcesses();
// The answer of the process that waited; the next one starts after it.
const { text } = await client.run("bad", { prompt: "Say it warm." }).result();
if (process.env["ENDING"] === "wait") setInterval(() => {}, 1000);
report({ pid, text } satisfies WarmReport);
