import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** The bytes that this process holds in memory, without garbage; the memory of buffers is freed some time after their objects. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
