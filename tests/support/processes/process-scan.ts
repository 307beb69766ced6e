import { readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { listPids, readIfThere } from "./read-proc.ts";

const POLL_MS = 50;
const DEADLINE_MS = 5_000;

/** The living processes whose environment has exactly this variable; reads /proc without code of the product. */
export function processesWith(name: string, value: string): Promise<readonly number[]> {
  return processesWhere((environment) => environment.includes(`\0${name}=${value}\0`));
}

/** The living processes of a run: the marker of its first attempt is its id; later ones have the id, a plus and their number. */
export function processesOfRun(runId: string): Promise<readonly number[]> {
  return processesWhere((environment) => ["\0", "+"].some((end) => environment.includes(`\0COXSWAIN_RUN=${runId}${end}`)));
}

/** The guardians of the host that started this run. */
export function guardiansOf(runId: string): Promise<readonly number[]> {
  return processesWith("COXSWAIN_GUARDIAN", runId.slice(0, runId.lastIndexOf(".")));
}

/**
 * The living processes that work in this directory; finds a process without any marker. Zombies have no directory. /proc is read
 * until it shows no new pid, because a process may start another one and exit during the scan.
 */
export async function processesIn(directory: string): Promise<readonly number[]> {
  const seen = new Set<string>();
  const found: number[] = [];
  for (let count = -1; count !== seen.size; ) {
    count = seen.size;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !seen.has(name))) {
      seen.add(pid);
      if (directoryOf(Number(pid)) === directory) found.push(Number(pid));
    }
  }
  return found;
}

/** Resolves when the scan finds nothing; after five seconds throws with the processes that are left. */
export function untilGone(scan: () => Promise<readonly number[]>): Promise<void> {
  return untilFound(scan, 0);
}

/**
 * Resolves when two scans in a row find this many processes; after five seconds throws with those found. During exec a process
 * has an empty environment for a moment, so one scan is not enough.
 */
export async function untilFound(scan: () => Promise<readonly number[]>, count: number): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let matches = 0; ; await sleep(POLL_MS)) {
    const found = await scan();
    matches = found.length === count ? matches + 1 : 0;
    if (matches === 2) return;
    if (matches === 0 && Date.now() > deadline)
      throw new Error(`${count} expected, there are: ${await describeProcesses(found)}`);
  }
}

/** Synchronous: the kernel has it in memory, and a thread for each process takes ten times as long. */
async function processesWhere(holds: (environment: string) => boolean): Promise<readonly number[]> {
  return listPids().filter((pid) => {
    const environment = readIfThere(`/proc/${pid}/environ`) ?? "";
    return environment !== "" && holds(`\0${environment}`);
  });
}

function directoryOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

async function describeProcesses(pids: readonly number[]): Promise<string> {
  const commands = pids.map(async (pid) => `${pid} ${await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")}`);
  return (await Promise.all(commands)).join("; ").replaceAll("\0", " ");
}
