import { UnusableDirectory } from "../files/state-directory.ts";
import { createFailure, type Failure, type FailureDetails } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { RunError, refusalOf } from "../spec/failure/run-error.ts";

/** The failure of a session whose files cannot be read or written. */
export function unusableState(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  const hint = error instanceof UnusableDirectory ? { hint: error.hint } : {};
  return createFailure("state-unusable", `The session cannot be stored: ${why}.`, hint);
}

/** Returns what `use` returns; an error of the file system becomes a RunError. */
export function usingState<Value>(use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    throw RunError.is(error) ? error : refusalOf(unusableState(error));
  }
}

export function refuse(code: FailureCode, message: string, details?: FailureDetails): RunError {
  return refusalOf(createFailure(code, message, details));
}
