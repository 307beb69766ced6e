import type { CooldownOptions } from "../../../src/spec/client-options.ts";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import type { FailureFacts } from "./prediction.ts";
import { exactly, isAtLeast, minus, plus, type Range } from "./range.ts";
import { categoryOf } from "./repetition.ts";

/** The state of a failing provider: the number of failures in a row and, after too many, its rest. */
export type BreakerState = {
  readonly failures: number;
  /** From `until` on one run is the probe. */
  readonly rest?: { readonly until: Range; readonly ms: number };
  /** The probe is running. */
  readonly isProbed?: boolean;
};

/** The state of a provider without failures. */
export const NEW_BREAKER: BreakerState = { failures: 0 };

/** The failure of a run whose provider rests or is being probed; none if the run may start, as the probe or not. */
export function breakerRefusal({ rest, isProbed }: BreakerState, now: Range): FailureFacts | undefined {
  if (isProbed === true) return { code: "cooling-down" };
  if (rest === undefined || isAtLeast(now, rest.until, "whether the rest is over")) return undefined;
  return { code: "cooling-down", retryAfterMs: minus(rest.until, now) };
}

/** The state after a run that was started. */
export function breakerAfter(
  before: BreakerState,
  end: "answer" | FailureCode,
  { now, options }: { readonly now: Range; readonly options: Required<CooldownOptions> },
): BreakerState {
  if (end === "answer") return NEW_BREAKER;
  const category = categoryOf(end);
  if (category !== "server" && category !== "network") return before;
  const failures = before.failures + 1;
  if (before.rest === undefined && failures < options.failures) return { failures };
  const ms = before.rest === undefined ? options.restMs : Math.min(options.longestRestMs, before.rest.ms * 2);
  return { failures, rest: { ms, until: plus(now, exactly(ms)) } };
}
