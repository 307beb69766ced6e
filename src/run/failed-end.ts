import { redactFailure } from "../failures/redact.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { Finish, RunEnd } from "../spec/wire/events.ts";

/** The failure has the text so far, unless that is empty. */
export function failedEnd(failure: Failure, partialText = "", finish?: Finish): RunEnd {
  const clean = redactFailure(failure);
  return {
    type: "run-end",
    finish: finish ?? (failure.category === "cancelled" ? "cancelled" : "error"),
    failure: partialText === "" ? clean : { ...clean, partialText },
  };
}

export const CANCELLED: Failure = createFailure("interrupted", "The run was cancelled.");

/** The failure of a run on a client that is closed, and of one that was in progress when it was closed. */
export const CLOSED: Failure = createFailure("interrupted", "The client is closed, so the run was not started.", {
  hint: "Create another client, or close this one after its last run.",
});
export const CLOSED_DURING_RUN: Failure = createFailure("interrupted", "The client was closed during the run.", {
  hint: "Close a client after its last run.",
});

export function cancelledEnd(partialText?: string): RunEnd {
  return failedEnd(CANCELLED, partialText);
}
