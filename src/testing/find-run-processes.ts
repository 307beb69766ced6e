import { listProcesses } from "../process/tree/process-table.ts";

/** The pids of all living processes of a run, found by the marker in their environment; complete on Linux. */
export function findRunProcesses(runId: string): readonly number[] {
  return (listProcesses() ?? [])
    .filter(({ run }) => run === runId || run?.startsWith(`${runId}+`) === true)
    .map((entry) => entry.pid);
}
