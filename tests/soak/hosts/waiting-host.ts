// Waits between two attempts or for a place, prints that in one line, and waits on until it is ended.
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { INIT, message, result } from "../claude-lines.ts";
import { ABLE } from "../model/able-provider.ts";
import type { ProgramScript } from "../program-step.ts";
import { soakProvider } from "../soak-providers.ts";

const directory = process.env["SOAK_CALL"] ?? "";
const isQueue = process.env["SOAK_WAIT"] === "queue";
const limited = result({ is_error: true, result: "API Error: Request rejected (429). Retry in 50s." });
const failing: ProgramScript = [[INIT, limited, { stubborn: true }, { leavesMs: 60_000 }, { waitMs: 60_000 }]];
const holding: ProgramScript = [
  [{ stubborn: true }, INIT, ...message("m0", ["holding"]), { leavesMs: 60_000 }, { waitMs: 60_000 }],
];
writeFileSync(join(directory, "a.json"), JSON.stringify(isQueue ? holding : failing));

const none = join(directory, "none");
const broken = { absent: none, plain: none, orphaned: none, misled: none, looping: none };
const providers = [soakProvider("a", ABLE, { obstacles: new Map() }, broken)];
const client = createClient({ providers, policies: { limit: { perProvider: 1 } } });

async function watch(isSign: (event: RunEvent) => boolean): Promise<void> {
  for await (const event of client.run("a", { prompt: "Work." })) {
    if (isSign(event)) writeSync(1, `${JSON.stringify({ sign: event.type })}\n`);
    if (isQueue && event.type === "text-delta") void watch((waiting) => waiting.type === "queue-wait");
  }
}

await watch((event) => !isQueue && event.type === "retry");
