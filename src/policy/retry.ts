import { randomUUID } from "node:crypto";
import type { Failure } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import type { RetryOptions } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import type { Policy, PolicyHost } from "./policy.ts";
import { type RelayedRun, relayRun } from "./relayed-run.ts";
import { hasTimeFor, withTimeLeft } from "./time-left.ts";

/** Asks the same target again after a failure that may pass, as long as nothing was shown or done. */
export function retry(host: PolicyHost, options: RetryOptions = {}): Policy {
  const { retries = 2, maxWaitMs = 60_000 } = options;
  if (retries === 0) return (next) => next;
  return (next) => (targets, request, context) =>
    relayRun(host, request, context, async (run) => {
      const longestMs = request.maxWaitMs ?? maxWaitMs;
      let waitedMs = 0;
      let current: RunRequest | undefined = request;
      for (let retriesMade = 0; ; retriesMade += 1) {
        const passed = await run.pass(next(targets, withWaitLeft(current, waitedMs), run.context));
        const { failure } = passed.end;
        if (failure?.shouldRetry !== true || retriesMade >= retries || !run.mayRepeat(passed)) return run.end(passed);
        if (NOT_AGAIN.has(failure.code)) return run.end(passed);
        const delayMs = delayBefore(retriesMade + 1, failure, options);
        const { elapsedMs } = run.sequence;
        if (waitedMs + delayMs > longestMs || !hasTimeFor(request, elapsedMs, delayMs)) return run.end(passed);
        run.takeBack(passed);
        run.sequence.hush(passed.trace.ignored);
        run.add({ type: "retry", attempt: run.sequence.attempts, delayMs, failure });
        if ((await run.pause(delayMs)) === "cancelled") return run.endCancelled();
        waitedMs += delayMs;
        current = withTimeLeft(withNewSession(request, run), run.sequence.elapsedMs);
        if (current === undefined) return run.end(passed);
      }
    });
}

/** To wait is what the queue was for; and whoever was not done in all that time will not be done in as much again. */
const NOT_AGAIN: ReadonlySet<FailureCode> = new Set(["queue-full", "total-timeout"]);

/** What was stated, or the back-off if that is longer: half of it to all of it, so that those who failed together do not come back together. */
function delayBefore(retryNumber: number, { retryAfterMs = 0 }: Failure, options: RetryOptions): number {
  const { firstDelayMs = 500, longestDelayMs = 30_000 } = options;
  const backoff = Math.min(longestDelayMs, firstDelayMs * 2 ** (retryNumber - 1));
  return Math.round(Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
}

function withWaitLeft(request: RunRequest, waitedMs: number): RunRequest {
  const { maxWaitMs } = request;
  return maxWaitMs === undefined || waitedMs === 0 ? request : { ...request, maxWaitMs: Math.max(0, maxWaitMs - waitedMs) };
}

/** A CLI refuses a session id that it has seen (claude: "already in use"), whatever became of that session. */
function withNewSession(request: RunRequest, run: RelayedRun): RunRequest {
  const { session } = request;
  if (session === undefined || !("id" in session) || session.id === undefined) return request;
  const id = randomUUID();
  const message = `The session id ${session.id} belongs to the failed attempt; the next attempt uses ${id}.`;
  run.add({ type: "warning", code: "session-changed", message });
  return { ...request, session: { ...session, id } };
}
