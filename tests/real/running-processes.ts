import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
/** Only the moment that is printed depends on it. */
const LEFT_POLL_MS = 250;

/** A process as listed in /proc. Each part is read once, when it is asked for: a scan would read thousands of files otherwise. */
export type RunningProcess = {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: readonly string[];
  readonly environment: readonly string[];
};

/** Every process of this machine, read from /proc without code of the product. Those that have ended have no command and no environment. */
export function runningProcesses(): readonly RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((name) => new ListedProcess(Number(name)));
}

class ListedProcess implements RunningProcess {
  readonly pid: number;
  private readonly seen = new Map<string, string>();

  constructor(pid: number) {
    this.pid = pid;
  }

  get parentPid(): number {
    const stat = this.read("stat");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }

  get command(): readonly string[] {
    return this.read("cmdline").split("\0");
  }

  get environment(): readonly string[] {
    return this.read("environ").split("\0");
  }

  private read(file: string): string {
    const content = this.seen.get(file) ?? read(`/proc/${this.pid}/${file}`);
    this.seen.set(file, content);
    return content;
  }
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

/** A guard against hanging: on a busy machine the guardian needs longer than three seconds to end a process that ignores its signals. */
const HANG_GUARD_MS = 20_000;

/**
 * The processes that are left of a stopped run, and how long after the stop the last one was seen. It looks for at least three seconds, so
 * that a process which is started late is seen too, and then until nothing is left.
 */
export async function leftOfStoppedRun(
  scan: () => readonly RunningProcess[],
  since: number,
  guardMs: number = HANG_GUARD_MS,
): Promise<{ readonly left: readonly string[]; readonly lastSeenMs: number }> {
  let lastSeenMs = 0;
  let found = scan();
  for (let ms = 0; ms < 3_000 || (found.length > 0 && ms < guardMs); ms = performance.now() - since) {
    if (found.length > 0) lastSeenMs = Math.round(performance.now() - since);
    await sleep(LEFT_POLL_MS);
    found = scan();
  }
  return { left: found.map(({ pid, command }) => `${pid} ${command.join(" ").slice(0, 200)}`), lastSeenMs };
}

function parentOf(child: RunningProcess, all: readonly RunningProcess[]): RunningProcess | undefined {
  const { parentPid } = child;
  return all.find(({ pid }) => pid === parentPid);
}

/** A process that cannot be read has just ended, or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
