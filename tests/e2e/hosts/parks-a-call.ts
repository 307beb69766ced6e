// Ends a run with a call by the bridge, reports it, and neither makes the call nor closes anything. ENDING is how it ends then.
import { createClient } from "../../../src/index.ts";
import { bridgingProvider } from "../bridging-provider.ts";
import { report } from "./report.ts";

/** What this host reports: how its run ended. */
export type ParkedReport = { readonly finish: string };

const client = createClient({ policies: false, providers: [bridgingProvider()] });
const prompt = JSON.stringify({ answers: [[{ place: "door" }]] });
const { finish } = await client.run("bad", { prompt, tools: [{ name: "look" }] }).result();
const { ENDING } = process.env;
if (ENDING === "wait") setInterval(() => {}, 1000);
report({ finish } satisfies ParkedReport);
if (ENDING === "exit") process.exit(0);
if (ENDING === "throw") setTimeout(() => Promise.reject(new Error("The host has failed.")), 1);
