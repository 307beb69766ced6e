import { redactFailure } from "../failures/redact.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Finish, RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";

/** The end of a failed run; its failure has the text so far, unless that is empty. */
export function failedEnd(failure: Failure, partialText = "", finish?: Finish): RunEnd {
  const clean = redactFailure(failure);
  return {
    type: "run-end",
    finish: finish ?? (failure.category === "cancelled" ? "cancelled" : "error"),
    failure: partialText === "" ? clean : { ...clean, partialText },
  };
}

/** The failure of a run that was cancelled. */
export const CANCELLED: Failure = createFailure("interrupted", "The run was cancelled.");

/** The end of a run that was cancelled. */
export function cancelledEnd(partialText?: string): RunEnd {
  return failedEnd(CANCELLED, partialText);
}
