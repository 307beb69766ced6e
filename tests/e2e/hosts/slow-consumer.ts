// Reads a lot of text so slowly that the program has ended before most of it is read.
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../../src/index.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { processesOfRun } from "../../support/processes/process-scan.ts";
import { report } from "./report.ts";
import { residentMemory } from "./resident-memory.ts";

/** What this host reports. */
export type SlowConsumerReport = {
  readonly runId: string;
  /** The number of events pulled when the program had written everything and ended. */
  readonly pulledBefore: number;
  /** The length of the ordered sequence 0, 1, 2 … of the numbers in front of each piece of text. */
  readonly piecesInOrder: number;
  readonly textBytes: number;
  readonly isNumbered: boolean;
  readonly types: readonly string[];
  readonly end: RunEvent;
  /** The memory growth until the program ended, and until everything was read. */
  readonly growthBytes: { readonly written: number; readonly read: number };
  /** What is left in its temporary directory at the end of the run. */
  readonly leftovers: readonly string[];
};

const client = createClient({
  providers: [programProvider(process.env["PROGRAM"] ?? "torrent")],
  limits: { spillBytes: Number(process.env["SPILL_BYTES"] ?? 1_048_576) },
  policies: false,
});
const before = residentMemory().now;
const iterator = client.run("bad", { prompt: "Write a lot." })[Symbol.asyncIterator]();
const first = await pull();
if (first.type !== "run-start") throw new Error(`began with ${first.type}`);
const types: string[] = [first.type];
let [pulled, piecesInOrder, textBytes, isNumbered] = [1, 0, 0, true];
let last = first as RunEvent;
let [pulledBefore, written] = [0, 0];
while (last.type !== "run-end") {
  if (pulledBefore === 0 && piecesInOrder === 3) {
    pulledBefore = await programGone(first.runId);
    written = residentMemory().peak - before;
  }
  await nextTick();
  last = await pull();
  isNumbered &&= last.seq === pulled;
  pulled += 1;
  take(last);
}
const isOver = (await iterator.next()).done === true;
if (!isOver) throw new Error("events after run-end");
const growthBytes = { written, read: residentMemory().peak - before };
await client.close();
report({
  runId: first.runId,
  pulledBefore,
  piecesInOrder,
  textBytes,
  isNumbered,
  types,
  end: last,
  growthBytes,
  leftovers: readdirSync(tmpdir()),
} satisfies SlowConsumerReport);

async function pull(): Promise<RunEvent> {
  const next = await iterator.next();
  if (next.done) throw new Error("ended without run-end");
  return next.value;
}

async function programGone(runId: string): Promise<number> {
  while (!existsSync(process.env["NOTE_FILE"] ?? "") || (await processesOfRun(runId)).length > 0) await sleep(20);
  return pulled;
}

function take(event: RunEvent): void {
  if (types.at(-1) !== event.type) types.push(event.type);
  if (event.type !== "text-delta" || event.messageId === "msg_last") return;
  textBytes += Buffer.byteLength(event.text);
  if (Number.parseInt(event.text, 10) === piecesInOrder) piecesInOrder += 1;
}
