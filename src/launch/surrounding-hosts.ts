import { listProcesses, type ProcessEntry, RUN_MARKER } from "../process/tree/process-table.ts";

/**
 * The programs with Coxswain in whose runs this process works, each once: by the marker in its own environment and those of the processes
 * above it. Some CLIs give their MCP servers a new environment, so its own is not enough.
 */
export function surroundingHosts(
  env: Readonly<Record<string, string | undefined>>,
  processes: readonly Pick<ProcessEntry, "pid" | "parentPid" | "run">[] = listProcesses() ?? [],
  parentPid: number = process.ppid,
): readonly string[] {
  const byPid = new Map(processes.map((entry) => [entry.pid, entry]));
  const runs = [env[RUN_MARKER]];
  for (let above = byPid.get(parentPid); above !== undefined; above = byPid.get(above.parentPid)) {
    runs.push(above.run);
    byPid.delete(above.pid);
  }
  return [...new Set(runs.flatMap((run) => (run === undefined ? [] : [run.slice(0, run.lastIndexOf("."))])))];
}
