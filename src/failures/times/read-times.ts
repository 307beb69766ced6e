import type { Failure } from "../../spec/failure/failure.ts";
import type { FailureCategory } from "../../spec/failure/failure-codes.ts";
import { defined } from "../../spec/json.ts";
import { type Clock, readReset, readResetField } from "./read-reset.ts";
import { readWait, readWaitField } from "./read-wait.ts";

export type StatedTimes = { readonly waitMs?: number; readonly resetAtMs?: number };

/** The time fields of an error, and whether the error is a quota or rate limit. */
export type TimeSigns = {
  readonly wait?: { readonly value: string | number; readonly unitMs: number };
  readonly reset?: string | number;
  /** A quota or rate limit states its times in many ways. Any other failure counts only if it says when to retry. */
  readonly isLimit?: boolean;
};

export function isLimit(category: FailureCategory): boolean {
  return category === "quota" || category === "rate_limit";
}

/** Reads the times that an error states. A field takes precedence over the text; `isLimit` is true by default. */
export function readTimes(text: string, clock: Clock, signs: TimeSigns = {}): StatedTimes {
  const { wait, reset } = signs;
  const words = translate(text.replaceAll("\u2019", "'"));
  const given = wait === undefined ? undefined : readWaitField(wait.value, wait.unitMs);
  const dated = given === undefined && typeof wait?.value === "string" ? readResetField(wait.value, clock) : undefined;
  const waitMs = given ?? (dated === undefined ? readWait(words, signs.isLimit) : undefined);
  const resetAtMs =
    (reset === undefined ? undefined : readResetField(reset, clock)) ?? dated ?? readReset(words, clock, signs.isLimit);
  return defined({ waitMs, resetAtMs });
}

const CHINESE: readonly (readonly [words: RegExp, english: string])[] = [
  [/\s?秒钟?/g, " seconds "],
  [/\s?分钟/g, " minutes "],
  [/\s?(?:个)?小时/g, " hours "],
  [/\s?天(?=后)/g, " days "],
  [/请(?:您)?(?:于|在)|请(?:您)?等待?/g, " wait "],
  [/将(?:于|在|会在)|(?:重置|恢复|刷新)(?:时间)?[为于在:：]/g, " resets at "],
];

/** The words of times in the messages of Chinese services. */
function translate(text: string): string {
  if (!/[\u4e00-\u9fff]/.test(text)) return text;
  return CHINESE.reduce((words, [pattern, english]) => words.replace(pattern, english), text);
}

type ReturnTimes = { readonly retryAfterMs?: number; readonly resetAt?: string };

/** Converts stated times: a stated time also gives a wait, and for quota a stated wait also gives a reset time. */
export function toReturnTimes({ waitMs, resetAtMs }: StatedTimes, category: FailureCategory, now: number): ReturnTimes {
  const retryAfterMs = waitMs ?? (resetAtMs === undefined ? undefined : Math.max(0, resetAtMs - now));
  const opensAt = resetAtMs ?? (category === "quota" && waitMs !== undefined ? now + waitMs : undefined);
  return defined({ retryAfterMs, resetAt: opensAt === undefined ? undefined : new Date(opensAt).toISOString() });
}

/** The wait after a rate limit that states no wait. */
const RATE_LIMIT_WAIT_MS = 1000;

export function withWait(failure: Failure): Failure {
  if (failure.category !== "rate_limit" || failure.retryAfterMs !== undefined) return failure;
  return { ...failure, retryAfterMs: RATE_LIMIT_WAIT_MS, retryAfterIsDefault: true };
}
