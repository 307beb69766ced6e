import { canMarkProcesses } from "../process/child/spawn-child.ts";
import { Guardian } from "../process/guardian/guardian.ts";
import { canListProcesses } from "../process/tree/process-table.ts";
import type { HealthWarning } from "../spec/health.ts";

/** How surely the processes of a run end on this machine (docs/decisions/0038-a-limit-marks-the-processes-of-a-run.md). */
export type EndingGuarantee = {
  /**
   * How the processes of a run are found. `limit`: by a limit that every process inherits. `looks`: by the environment, the parent and the session, once a
   * second. `group`: only those in the process group of the CLI.
   */
  readonly foundBy: "limit" | "looks" | "group";
  /** True if a guardian ends them when this process is killed. */
  readonly survivesHost: boolean;
  /** What that means, in one sentence. */
  readonly message: string;
};

/** Finds out which guarantee this machine has; starts a small program. */
export function endingGuarantee(): EndingGuarantee {
  const foundBy = canListProcesses() ? (canMarkProcesses() ? "limit" : "looks") : "group";
  const survivesHost = !new Guardian().isMissing;
  const ended = survivesHost ? "also if Coxswain is killed" : "but not if Coxswain is killed";
  return { foundBy, survivesHost, message: `${FOUND[foundBy]}, ${ended}.` };
}

const FOUND: Readonly<Record<EndingGuarantee["foundBy"], string>> = {
  limit: "All processes of a run are ended with it, daemons too",
  looks: "The processes of a run are ended with it, except daemons that leave it within a second",
  group: "The processes in the process group of a CLI are ended with its run",
};

/** The warning about a system whose processes cannot be listed; undefined where they can. */
export function hiddenProcessesWarning(): HealthWarning | undefined {
  if (canListProcesses()) return undefined;
  return {
    code: "processes-hidden",
    message: "The processes of this system cannot be listed.",
    hint:
      process.platform === "linux"
        ? "When a run ends, only the process group of the CLI is ended, and tools in other groups are not found. Mount /proc for these pids."
        : "When a run ends, tools outside the process group of the CLI are not found.",
  };
}
