import { createFailure } from "../../spec/create-failure.ts";
import { RunError } from "../../spec/run-error.ts";

/** The error for a call that the CLI does not support; nothing was started. */
export function refuse(message: string, hint?: string): RunError {
  const failure = createFailure("option-unsupported", message, hint === undefined ? {} : { hint });
  return new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
}
