import { stampRetryable } from "@langchain/core/errors";
import { createFailure } from "../../spec/create-failure.ts";
import type { FailureCode } from "../../spec/failure-codes.ts";
import { RunError } from "../../spec/run-error.ts";

/** The error in LangChain's form: the reason of the signal for an aborted call, else a mark whether a retry can help. */
export function toLangChainError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (!RunError.is(error)) return error;
  if (error.failure.category === "cancelled" && signal?.aborted === true) return signal.reason;
  const { retryAfterMs, shouldRetry } = error.failure;
  if (retryAfterMs !== undefined) Object.defineProperty(error, "retryAfterMs", { value: retryAfterMs, configurable: true });
  stampRetryable(error, shouldRetry);
  return error;
}

/** The error for a call that the CLI does not support; nothing was started. */
export function refuse(message: string, hint?: string): RunError {
  return withoutResult("option-unsupported", message, hint === undefined ? {} : { hint });
}

/** A failed call of which there is no result. */
export function withoutResult(code: FailureCode, message: string, details: { readonly hint?: string } = {}): RunError {
  const failure = createFailure(code, message, details);
  return new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
}
