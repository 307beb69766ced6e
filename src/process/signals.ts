import { execFile } from "node:child_process";

/** Sends a signal to one process, or with 0 only asks; false when it is gone. On Windows there is one way only, which takes the whole tree. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === "win32") {
    execFile("taskkill", ["/pid", String(pid), "/T", "/F"], () => {});
    return true;
  }
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
