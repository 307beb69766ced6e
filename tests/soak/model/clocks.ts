import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { budgetOf } from "./budget.ts";
import { exactly, isAtLeast, plus, type Range, UndecidedError } from "./range.ts";
import type { Walk } from "./walk.ts";

/** A moment of the run, in ms from its beginning, at which it is stopped. */
type Clock = { readonly atMs: number; readonly code: FailureCode };

/** Advances the time of the run; if a clock stops the run before, returns the code and leaves the time at that clock. */
export function passTime(walk: Walk, durationMs: Range): FailureCode | undefined {
  const clock = firstClock(walk);
  const later = plus(walk.elapsedMs, durationMs);
  if (clock !== undefined && isAtLeast(later, exactly(clock.atMs), `whether ${clock.code} comes first`)) {
    walk.elapsedMs = exactly(clock.atMs);
    return clock.code;
  }
  if (later.max === Number.POSITIVE_INFINITY) throw new RangeError("A process without an end needs a clock that stops it.");
  walk.elapsedMs = later;
  return undefined;
}

/** Whether no time is left of `timeouts.totalMs`. */
export function isTimeOver(walk: Walk): boolean {
  return wouldTakeAllTime(walk, exactly(0));
}

/** Whether a delay would not end before `timeouts.totalMs`. */
export function wouldTakeAllTime(walk: Walk, delayMs: Range): boolean {
  const { totalMs } = walk.call.request;
  return totalMs !== undefined && isAtLeast(plus(walk.elapsedMs, delayMs), exactly(totalMs), "whether totalMs is enough");
}

function firstClock(walk: Walk): Clock | undefined {
  const { totalMs, budget } = walk.call.request;
  const policy = budgetOf(walk);
  const clocks: Clock[] = [];
  if (totalMs !== undefined) clocks.push({ atMs: totalMs, code: "total-timeout" });
  if (budget?.wallMs !== undefined) clocks.push({ atMs: budget.wallMs, code: "budget-spent" });
  if (policy.wallMs !== undefined) {
    clocks.push({ atMs: policy.wallMs - (walk.startedAt - walk.client.createdAt), code: "budget-spent" });
  }
  const [first, second] = clocks.toSorted((one, other) => one.atMs - other.atMs);
  if (first?.atMs === second?.atMs && first?.code !== second?.code) throw new UndecidedError("which of two clocks stops the run");
  return first;
}
