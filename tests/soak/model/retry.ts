import type { RetryOptions } from "../../../src/spec/client-options.ts";
import { attemptTarget } from "./attempt.ts";
import { passTime, wouldTakeAllTime } from "./clocks.ts";
import type { ModelCall } from "./model-call.ts";
import type { FailureFacts } from "./prediction.ts";
import { exactly, isOver, plus, type Range } from "./range.ts";
import { mayBeFollowed, resetMessages, traitsOf } from "./repetition.ts";
import { type End, failWith, type Walk } from "./walk.ts";

/** Tries the same target again after a failure with `shouldRetry`. */
export function retryTarget(walk: Walk, target: ModelCall["targets"][number]): End {
  const options = walk.client.policies.retry;
  let waitedMs = exactly(0);
  for (let retry = 1; ; retry += 1) {
    const end = attemptTarget(walk, target, retry === 1);
    if (end.answer || options === false || retry > options.retries) return end;
    if (!mayBeFollowed(walk, end) || !traitsOf(end.failure.code).shouldRetry) return end;
    const delayMs = delayBefore(retry, end.failure, options);
    waitedMs = plus(waitedMs, delayMs);
    const maxWaitMs = exactly(walk.call.request.maxWaitMs ?? options.maxWaitMs);
    if (isOver(waitedMs, maxWaitMs, "whether maxWaitMs is enough") || wouldTakeAllTime(walk, delayMs)) return end;
    resetMessages(walk, end);
    walk.events.push({ type: "retry", attempt: walk.attempts, code: end.failure.code, delayMs });
    if (walk.call.cancelAtRetryOf === walk.attempts) return failWith({ code: "interrupted" });
    const stopped = passTime(walk, delayMs);
    if (stopped !== undefined) return failWith({ code: stopped });
    renewSession(walk);
  }
}

/** The larger of the failure's wait and the back-off: between half and all of `min(longestDelayMs, firstDelayMs × 2^(n−1))`. */
function delayBefore(retry: number, { retryAfterMs }: FailureFacts, options: Required<RetryOptions>): Range {
  const backOffMs = Math.min(options.longestDelayMs, options.firstDelayMs * 2 ** (retry - 1));
  const { min, max } = retryAfterMs ?? exactly(0);
  return { min: Math.max(min, Math.floor(backOffMs / 2)), max: Math.max(max, Math.ceil(backOffMs)) };
}

/** If the request chose a session id, the next attempt gets a new one; the rest of the request stays. */
function renewSession(walk: Walk): void {
  if (walk.session === undefined || !("id" in walk.session)) return;
  walk.events.push({ type: "warning", code: "session-changed" });
}
