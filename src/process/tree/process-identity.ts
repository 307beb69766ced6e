import { readFileSync } from "node:fs";
import { findProcess } from "./process-table.ts";
import { sendSignal } from "./signals.ts";

/** Names a process so that a later one with the same pid is not mistaken for it. */
export type ProcessIdentity = {
  readonly pid: number;
  /** 0 where the system does not tell it. */
  readonly startTime: number;
};

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: findProcess(process.pid)?.startTime ?? 0 };
  return own;
}

/** True while the process runs. Without start times a later process with the same pid counts as the same. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const found = findProcess(pid);
  if (found !== undefined) return startTime === 0 || found.startTime === startTime;
  return process.platform !== "linux" && answersSignals(pid);
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be signalled, but it runs.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** True for a process that was stopped by SIGSTOP or a debugger; where there is no /proc, always false. */
export function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program is in brackets and may itself contain brackets; the state follows it.
    return /^[Tt]$/.test(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** Lets a stopped process go on, so that it handles the signal that it was sent. */
export function resumeStopped(pid: number): void {
  if (isStopped(pid)) sendSignal(pid, "SIGCONT");
}
