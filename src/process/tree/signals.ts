import { execFile } from "node:child_process";
import { thrownCode } from "../../spec/failure/failure.ts";
import { findProcess, type ProcessIdentity } from "./process-table.ts";

/**
 * Sends a signal to one process, or with 0 only tests whether it is alive; false if it has exited. On Windows every signal ends
 * the whole process tree.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === "win32") {
    execFile("taskkill", ["/pid", String(pid), "/T", "/F"], () => {});
    return true;
  }
  // 0 is the group of this process, and a negative number another group.
  return pid > 0 && send(pid, signal);
}

/**
 * Sends a signal to all processes of a group at once, or with 0 only tests whether the group has a process; false if it has none. A
 * process that forks at this moment cannot escape. Windows has no groups.
 */
export function sendGroupSignal(group: number, signal: NodeJS.Signals | 0): boolean {
  // -1 means all processes.
  return process.platform !== "win32" && group > 1 && send(-group, signal);
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
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
    return thrownCode(error) === "EPERM";
  }
}
