import { createFailure } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import { type RunError, refusalOf } from "../../spec/failure/run-error.ts";

/** The error for a call that the CLI does not support; nothing was started. */
export function refuse(message: string, hint?: string): RunError {
  return withoutResult("option-unsupported", message, hint === undefined ? {} : { hint });
}

/** A failed call of which there is no result. */
export function withoutResult(code: FailureCode, message: string, details: { readonly hint?: string } = {}): RunError {
  return refusalOf(createFailure(code, message, details));
}

/** The value of a promise; rejects with the reason of the signal when it aborts, even if the work behind the promise does not stop. */
export async function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return await answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    answer.catch(() => undefined);
  }
}
