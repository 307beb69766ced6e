import { readdirSync, readFileSync } from "node:fs";

/** The environment variable that marks every process that a host started. */
export const BENCH_MARKER = "COXSWAIN_BENCH";

/** A running process that a host started. */
export type Caused = { readonly pid: number; readonly command: string };

/** Every running process that has the marker of a host, or the given text in its command line, except the host itself. */
export function findCaused(marker: string, hostPid: number, text: string = `${BENCH_MARKER}=${marker}`): readonly Caused[] {
  return listPids().flatMap((pid) => {
    if (pid === hostPid || isZombie(pid)) return [];
    const command = readProc(pid, "cmdline").replaceAll("\0", " ").trim();
    const isCaused = command.includes(text) || readProc(pid, "environ").split("\0").includes(`${BENCH_MARKER}=${marker}`);
    return isCaused ? [{ pid, command }] : [];
  });
}

/** Ends every process that any host of this process started. */
export function endEverything(): void {
  const beginning = `${BENCH_MARKER}=${process.pid}-`;
  const pids = listPids().filter((pid) =>
    readProc(pid, "environ")
      .split("\0")
      .some((entry) => entry.startsWith(beginning)),
  );
  endAll(pids.map((pid) => ({ pid, command: "" })));
}

/** Children of a host that outlive its calls, such as a guardian. */
export function findChildren(hostPid: number): readonly number[] {
  return listPids().filter((pid) => !isZombie(pid) && statOf(pid)[1] === String(hostPid));
}

/** The peak memory of a process in MB. It is not ru_maxrss, which a child inherits from its parent. */
export function peakMemoryMb(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, "status"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

/** The CPU time that a process has used so far, in milliseconds; the system counts in hundredths of a second. */
export function cpuMsOf(pid: number): number {
  const [user, system] = statOf(pid).slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

/** Ends processes by their ids; processes that have ended are ignored. */
export function endAll(processes: readonly Caused[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended in the meantime.
    }
  }
}

function listPids(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function isZombie(pid: number): boolean {
  const state = statOf(pid)[0];
  return state === undefined || state === "Z" || state === "X";
}

/** State, parent and so on; the name before them is in brackets and may contain any character. */
function statOf(pid: number): readonly string[] {
  const stat = readProc(pid, "stat");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
