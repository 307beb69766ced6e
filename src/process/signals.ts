import { execFile } from "node:child_process";

/** Sends a signal to one process; false when it is gone. On Windows there is one way only, which takes the whole tree. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
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
