import { execFile } from "node:child_process";

/**
 * Sends a signal to one process, or with 0 only tests whether it is alive; false if it has exited. On Windows every signal ends
 * the whole process tree.
 */
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
