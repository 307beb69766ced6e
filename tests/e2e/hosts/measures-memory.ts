// Reads a program that prints one huge line and reports the growth of its memory.
import { createClient } from "../../../src/index.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { report } from "./report.ts";
import { residentMemory } from "./resident-memory.ts";

/** What this host reports. */
export type MemoryReport = { readonly events: readonly RunEvent[]; readonly growthBytes: number };

const lineBytes = process.env["LINE_BYTES"];
const client = createClient({
  providers: [programProvider("huge-line")],
  ...(lineBytes !== undefined && { limits: { lineBytes: Number(lineBytes) } }),
});
const before = residentMemory().now;
const events: RunEvent[] = [];
for await (const event of client.run("bad", { prompt: "Print a huge line." })) events.push(event);
report({ events, growthBytes: residentMemory().peak - before } satisfies MemoryReport);
