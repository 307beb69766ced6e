import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;

/** A process as listed in /proc. */
export type RunningProcess = {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: readonly string[];
  readonly environment: readonly string[];
};

/** Every running process of this machine, read from /proc without code of the product. Zombies have ended. */
export function runningProcesses(): readonly RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const stat = read(`/proc/${name}/stat`);
    const [state = "", parentPid = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "" || state === "Z" || state === "X") return [];
    const [command, environment] = [read(`/proc/${name}/cmdline`), read(`/proc/${name}/environ`)];
    return [
      { pid: Number(name), parentPid: Number(parentPid), command: command.split("\0"), environment: environment.split("\0") },
    ];
  });
}

/** The process and its ancestors, from the bottom up. */
export function lineageOf(bottom: RunningProcess): readonly RunningProcess[] {
  const all = runningProcesses();
  const lineage = [bottom];
  for (let next = parentOf(bottom, all); next !== undefined; next = parentOf(next, all)) lineage.push(next);
  return lineage;
}

/** Waits until the scan finds something; its deadline is long enough for a busy machine. */
export async function untilSeen<Found>(scan: () => Found | undefined, what: string): Promise<Found> {
  for (const deadline = Date.now() + 60_000; ; await sleep(POLL_MS)) {
    const found = scan();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`never seen: ${what}`);
  }
}

/** The processes that are left three seconds after a moment, and how long after it the last one was seen. */
export async function leftAfterThreeSeconds(
  scan: () => readonly RunningProcess[],
  since: number,
): Promise<{ readonly left: readonly string[]; readonly lastSeenMs: number }> {
  let lastSeenMs = 0;
  for (; performance.now() - since < 3_000; await sleep(POLL_MS)) {
    if (scan().length > 0) lastSeenMs = Math.round(performance.now() - since);
  }
  return { left: scan().map(({ pid, command }) => `${pid} ${command.join(" ").slice(0, 200)}`), lastSeenMs };
}

function parentOf(child: RunningProcess, all: readonly RunningProcess[]): RunningProcess | undefined {
  return all.find((process) => process.pid === child.parentPid);
}

/** A process that cannot be read has just ended, or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
