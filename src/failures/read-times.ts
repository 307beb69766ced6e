import type { FailureCategory } from "../spec/failure-codes.ts";
import { type Clock, readReset, readResetField } from "./read-reset.ts";
import { readWait, readWaitField } from "./read-wait.ts";

/** What an error says about coming back: a duration and an instant, each only where it was stated. */
export type StatedTimes = { readonly waitMs?: number; readonly resetAtMs?: number };

/** What is known beside the words: fields that state a time, and whether they are those of a limit. */
export type TimeSigns = {
  readonly wait?: { readonly value: string | number; readonly unitMs: number };
  readonly reset?: string | number;
  /** A quota or a rate limit states its times in many ways; any other failure only where it says when to try again. */
  readonly isLimit?: boolean;
};

/** Whether a failure of this category is a limit, which opens at some time. */
export function isLimit(category: FailureCategory): boolean {
  return category === "quota" || category === "rate_limit";
}

/** Reads the times that an error, a limit unless it is said otherwise, states; a field goes before the words. */
export function readTimes(text: string, clock: Clock, signs: TimeSigns = {}): StatedTimes {
  const { wait, reset } = signs;
  const words = text.replaceAll("\u2019", "'");
  const given = wait === undefined ? undefined : readWaitField(wait.value, wait.unitMs);
  const dated = given === undefined && typeof wait?.value === "string" ? readResetField(wait.value, clock) : undefined;
  const waitMs = given ?? (dated === undefined ? readWait(words, signs.isLimit) : undefined);
  const resetAtMs =
    (reset === undefined ? undefined : readResetField(reset, clock)) ?? dated ?? readReset(words, clock, signs.isLimit);
  return { ...(waitMs !== undefined && { waitMs }), ...(resetAtMs !== undefined && { resetAtMs }) };
}

/** When to come back, as a failure says it. */
export type ReturnTimes = { readonly retryAfterMs?: number; readonly resetAt?: string };

/** The times of a failure: an instant is a wait too, and a wait for quota is an instant. */
export function toReturnTimes({ waitMs, resetAtMs }: StatedTimes, category: FailureCategory, now: number): ReturnTimes {
  const retryAfterMs = waitMs ?? (resetAtMs === undefined ? undefined : Math.max(0, resetAtMs - now));
  const opensAt = resetAtMs ?? (category === "quota" && waitMs !== undefined ? now + waitMs : undefined);
  return {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(opensAt !== undefined && { resetAt: new Date(opensAt).toISOString() }),
  };
}
