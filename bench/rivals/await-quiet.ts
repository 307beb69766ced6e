import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const SAMPLE_MS = 250;
const IDLE_SHARE = 0.85;
let patienceMs = 15 * 60_000;
let gaveUp = 0;

/** Waits until the processors are idle, so that other load is not measured; the total wait of a benchmark is limited. */
export async function awaitQuiet(): Promise<void> {
  for (;;) {
    const before = readTimes();
    await delay(SAMPLE_MS);
    const after = readTimes();
    if ((after.idle - before.idle) / (after.all - before.all) >= IDLE_SHARE) return;
    patienceMs -= SAMPLE_MS;
    if (patienceMs > 0) continue;
    gaveUp += 1;
    return;
  }
}

/** Sets how long a benchmark waits in total. */
export function limitPatience(milliseconds: number): void {
  patienceMs = milliseconds;
}

/** How many measurements were made although the machine was busy. */
export function countBusy(): number {
  return gaveUp;
}

function readTimes(): { readonly idle: number; readonly all: number } {
  const times = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const idle = (times[3] ?? 0) + (times[4] ?? 0);
  return { idle, all: times.reduce((sum, time) => sum + time, 0) };
}
