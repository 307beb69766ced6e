import { listProcesses } from "../process/process-table.ts";

/** The pids of every living process that a run caused, found by the marker in its environment; Linux sees them all. */
export function findRunProcesses(runId: string): readonly number[] {
  return listProcesses()
    .filter(({ run }) => run === runId || run?.startsWith(`${runId}+`) === true)
    .map((entry) => entry.pid);
}
