/** Sends a signal to one process. A missing pid is an error: as 0 it would mean the group of the test runner, and of what started it. */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 1) throw new Error(`${signal} has no process to go to: its pid is ${pid}`);
  process.kill(pid, signal);
}
