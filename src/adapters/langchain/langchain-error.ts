import { stampRetryable } from "@langchain/core/errors";
import { RunError } from "../../spec/run-error.ts";

/**
 * The error in LangChain's form: an aborted call throws the reason of its signal; a failed call marks whether a retry can help.
 */
export function toLangChainError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (!RunError.is(error)) return error;
  if (error.failure.category === "cancelled" && signal?.aborted === true) return signal.reason;
  const { retryAfterMs, shouldRetry } = error.failure;
  if (retryAfterMs !== undefined) Object.defineProperty(error, "retryAfterMs", { value: retryAfterMs, configurable: true });
  stampRetryable(error, shouldRetry);
  return error;
}
