import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Waits until the look finds something; fails after fifteen seconds. */
export async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error("it did not come about in fifteen seconds");
    await delay(20);
  }
}

/** True unless the process has ended; a zombie has ended. */
export function isAlive(pid: number): boolean {
  return !["Z", "X", ""].includes(stateOf(pid));
}

/** The letter of its state; empty if it has ended. */
export function stateOf(pid: number): string {
  return fieldsOf(pid)[0] ?? "";
}

/** The fields of its stat after the name of the program. */
export function fieldsOf(pid: number): readonly string[] {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Its children, zombies included. */
export function childrenOf(pid: number): readonly number[] {
  return (readIfThere(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
}

/** The entries of its environment. */
export function environmentOf(pid: number): readonly string[] {
  return (readIfThere(`/proc/${pid}/environ`) ?? "").split("\0");
}

/** The pids of all processes. */
export function listPids(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** The shared buffer for reads: files of /proc have no size, so readFileSync allocates 64 kB for each, and tests read hundreds of thousands. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The text of a file; undefined if it cannot be read. */
export function readIfThere(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let text = "";
    for (let length = -1; length !== 0; text += buffer.toString("latin1", 0, length)) length = readSync(file, buffer);
    return text;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
