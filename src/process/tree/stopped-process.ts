import { readFileSync } from "node:fs";
import { sendSignal } from "./signals.ts";

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
