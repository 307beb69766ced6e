import type { HealthWarning } from "../../spec/health.ts";
import { canListProcesses } from "./process-table.ts";

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
