import type { Failure } from "./failure.ts";
import { RunError } from "./run-error.ts";

/** The error of a call that is refused before a run begins, so that there is no result. */
export function refusalOf(failure: Failure): RunError {
  return new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
}
