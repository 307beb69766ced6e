// Leaves a call by the bridge without its result: it ends the run with the call, or runs a function that never returns (RUNNER). ENDING is
// how it ends then, without waiting for anything.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../../src/index.ts";
import { bridgingProvider } from "../host-tools/bridging-provider.ts";
import { report } from "./report.ts";

/** What this host reports: how its run ended, or that its function runs. */
export type ParkedReport = { readonly finish: string };

const client = createClient({ policies: false, providers: [bridgingProvider()] });
const prompt = JSON.stringify({ answers: [[{ place: "door" }]] });
const { ENDING, RUNNER } = process.env;
const request = { prompt, tools: [{ name: "look" }] };
const finish = RUNNER === "function" ? await runFunction() : (await client.run("bad", request).result()).finish;
if (ENDING === "wait") {
  setInterval(() => {}, 1000);
  // The guardian is told within 50 ms that the process waits.
  await sleep(100);
}
report({ finish } satisfies ParkedReport);
if (ENDING === "close and exit") void client.close();
if (ENDING === "exit" || ENDING === "close and exit") process.exit(0);
if (ENDING === "throw") setTimeout(() => Promise.reject(new Error("The host has failed.")), 1);

/** Resolves when the function of the caller runs. */
function runFunction(): Promise<string> {
  return new Promise((resolve) => {
    const callTool = (): Promise<string> => {
      resolve("function");
      return new Promise(() => {});
    };
    void client.run("bad", request, { callTool }).outcome();
  });
}
