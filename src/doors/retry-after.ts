import type { Failure } from "../spec/failure.ts";

/** The wait that is stated if neither the CLI nor its service stated one. */
const UNSTATED_MS = 5000;

/**
 * How long a client should wait before it repeats a request that failed: the stated wait, the time until the stated reset, or five seconds
 * for a limit and an overloaded service without either. Undefined if a wait does not help.
 */
export function retryAfterMs({ retryAfterMs: stated, resetAt, replyStatus }: Failure, now: number): number | undefined {
  if (stated !== undefined) return stated;
  const reset = resetAt === undefined ? Number.NaN : Date.parse(resetAt);
  if (!Number.isNaN(reset)) return Math.max(1000, reset - now);
  return replyStatus === 429 || replyStatus === 503 ? UNSTATED_MS : undefined;
}

/**
 * True if a client may repeat a request by itself after the wait, because no CLI was asked. Any other failure Coxswain has already retried as
 * often as that helps, and retries of the client would multiply.
 */
export function mayRepeat({ code }: Failure): boolean {
  return code === "queue-full" || code === "cooling-down";
}
