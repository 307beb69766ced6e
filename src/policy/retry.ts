import { randomUUID } from "node:crypto";
import { cancelledEnd } from "../run/ends.ts";
import type { Policy } from "../run/part.ts";
import { hasTimeFor, mayRepeat, resetMessages, waitFor } from "../run/policy.ts";
import type { RunWriter } from "../run/run-writer.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import type { RetryOptions } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import { ownRetries } from "./own-retries.ts";
import { withinWait } from "./stated-wait.ts";

/**
 * Asks the same target again after a failure with `shouldRetry`, unless the attempt may have run a tool or its shown text is
 * final (`commit`). A request that the CLI repeated by itself counts as a retry.
 */
export function retry(options: RetryOptions = {}): Policy {
  const { retries = 2, maxWaitMs = 60_000 } = options;
  return (next) => async (targets, request, context) => {
    const { writer } = context;
    const longestMs = request.maxWaitMs ?? maxWaitMs;
    let [waitedMs, retriesOfCli] = [0, 0];
    let current = request;
    for (let retriesMade = 0; ; retriesMade += 1) {
      writer.forgetTrace();
      const asked = withWaitLeft(current, waitedMs);
      const end = await withinWait(longestMs - waitedMs, targets, context, (inner) => next(targets, asked, inner));
      const { failure } = end;
      if (failure?.shouldRetry !== true || NOT_AGAIN.has(failure.code)) return end;
      retriesOfCli += ownRetries(writer.trace, failure);
      waitedMs += writer.trace.upstreamWaitMs;
      if (retriesMade + retriesOfCli >= retries || !mayRepeat(context, targets[0], request, failure)) return end;
      const delayMs = delayBefore(retriesMade + 1, failure, options);
      if (waitedMs + delayMs > longestMs || !hasTimeFor(context, delayMs)) return end;
      resetMessages(context);
      writer.write({ type: "retry", by: "coxswain", attempt: writer.attempts, delayMs, failure });
      if ((await waitFor(context, delayMs)) === "cancelled") return cancelledEnd();
      waitedMs += delayMs;
      if (!hasTimeFor(context, 0)) return end;
      current = withNewSession(request, writer);
    }
  };
}

/** A run that timed out in the queue or in total would do so again. */
const NOT_AGAIN: ReadonlySet<FailureCode> = new Set(["queue-full", "total-timeout"]);

/**
 * The stated wait, or the back-off if that is longer. The back-off is random between half and all of it, so that runs that
 * failed together do not retry together.
 */
function delayBefore(retryNumber: number, { retryAfterMs = 0 }: Failure, options: RetryOptions): number {
  const { firstDelayMs = 500, longestDelayMs = 30_000 } = options;
  const backoff = Math.min(longestDelayMs, firstDelayMs * 2 ** (retryNumber - 1));
  return Math.round(Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
}

function withWaitLeft(request: RunRequest, waitedMs: number): RunRequest {
  const { maxWaitMs } = request;
  return maxWaitMs === undefined || waitedMs === 0 ? request : { ...request, maxWaitMs: Math.max(0, maxWaitMs - waitedMs) };
}

/** A CLI refuses a session id that it has seen (claude: "already in use"), also after a failed attempt. */
function withNewSession(request: RunRequest, writer: RunWriter): RunRequest {
  const { session } = request;
  if (session === undefined || !("id" in session) || session.id === undefined) return request;
  const id = randomUUID();
  const message = `The session id ${session.id} belongs to the failed attempt; the next attempt uses ${id}.`;
  writer.tick();
  writer.write({ type: "warning", code: "session-changed", message });
  return { ...request, session: { ...session, id } };
}
