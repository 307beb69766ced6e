import type { Failure } from "../spec/failure/failure.ts";

/** The wait that is stated if neither the CLI nor its service stated one. */
const UNSTATED_MS = 5000;

/** The wait that the CLI or its service stated, or the time until the stated reset. */
export function statedWaitMs({ retryAfterMs: wait, retryAfterIsDefault, resetAt }: Failure, now: number): number | undefined {
  if (wait !== undefined && retryAfterIsDefault !== true) return wait;
  const reset = resetAt === undefined ? Number.NaN : Date.parse(resetAt);
  return Number.isNaN(reset) ? undefined : Math.max(1000, reset - now);
}

/**
 * How long a client should wait before it repeats a request that failed: the stated wait, the time until the stated reset, or five seconds
 * for a limit and an overloaded service without either. Undefined if a wait does not help.
 */
export function retryAfterMs(failure: Failure, now: number): number | undefined {
  const { replyStatus } = failure;
  const stated = statedWaitMs(failure, now);
  if (stated !== undefined) return stated;
  return replyStatus === 429 || replyStatus === 503 ? UNSTATED_MS : undefined;
}

/** A failure of a request for which no CLI was asked, although its code does not say so. */
export type Unasked = Failure & { readonly isUnasked: true };

/**
 * True if a client may repeat a request by itself after the wait, because no CLI was asked. Any other failure Coxswain has already retried as
 * often as that helps, and retries of the client would multiply.
 */
export function mayRepeat(failure: Failure | Unasked): boolean {
  const { code, shouldRetry } = failure;
  return shouldRetry && (code === "queue-full" || code === "cooling-down" || "isUnasked" in failure);
}
