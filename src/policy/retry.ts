import { randomUUID } from "node:crypto";
import type { ResolvedTarget, ResolvedTargets } from "../request/targets.ts";
import { cancelledEnd, failedEnd, hasTimeFor, type PartContext, type Policy, waitFor } from "../run/part.ts";
import type { PartTrace, RunWriter } from "../run/run-writer.ts";
import type { RetryOptions } from "../spec/client-options.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import type { FailureCategory, FailureCode } from "../spec/failure/failure-codes.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { runStoppable } from "./budget.ts";

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

/** The statuses with which a service states how long to wait. */
const WAITING: ReadonlyMap<number | undefined, FailureCode> = new Map([
  [429, "rate-limited"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/**
 * Runs a part, and stops it when its CLI reports that it will wait longer than `leftMs` for the service. The run then fails at
 * once, with that wait in `retryAfterMs`.
 */
async function withinWait(
  leftMs: number,
  targets: ResolvedTargets,
  context: PartContext,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { writer, signal } = context;
  let tooLong: Failure | undefined;
  const watch = (stop: () => void): (() => void) =>
    writer.onFlush(() => {
      tooLong ??= findLongWait(writer.trace, leftMs);
      if (tooLong !== undefined) stop();
    });
  const end = await runStoppable(context, watch, run);
  const isOurs = tooLong !== undefined && end.failure?.category === "cancelled" && !signal.aborted;
  if (!isOurs || tooLong === undefined) return end;
  // The gate has seen only that the attempt was stopped.
  context.gate?.leave(targets[0].target, tooLong);
  return failedEnd(tooLong, end.failure?.partialText);
}

/** The earlier waits of the part count: what is left for the last one is the allowance without them. */
function findLongWait({ lastUpstreamRetry, upstreamWaitMs }: PartTrace, allowedMs: number): Failure | undefined {
  const { delayMs = 0, status } = lastUpstreamRetry ?? {};
  const leftMs = Math.max(0, Math.round(allowedMs - (upstreamWaitMs - delayMs)));
  const code = WAITING.get(status);
  if (code === undefined || delayMs <= leftMs) return undefined;
  const message = `The service asks for a wait of ${toSeconds(delayMs)} (status ${status}), and ${toSeconds(leftMs)} are left for waits.`;
  return createFailure(code, message, { retryAfterMs: Math.round(delayMs), evidence: { upstreamStatus: status ?? 0 } });
}

/** How often the CLI of a failed attempt has repeated its request by itself: as it reported, or as is known about a silent CLI. */
function ownRetries({ upstreamRetries, silentRetries }: PartTrace, { category, code }: Failure): number {
  const silent = code === "start-failed" ? 0 : (silentRetries[category] ?? 0);
  return Math.max(upstreamRetries, silent);
}

/**
 * True when another attempt may follow the failed one: no tool may have run, and nothing that is committed was shown. Flushes the
 * writer first, so that the budget sees what the failed attempt spent and can stop the run.
 */
export function mayRepeat(context: PartContext, { provider }: ResolvedTarget, request: RunRequest, failure: Failure): boolean {
  context.writer.flush();
  const { trace } = context.writer;
  if (trace.hasActed || context.signal.aborted) return false;
  if (trace.hasBegun && mayHaveActed(provider, request, failure)) return false;
  return !trace.hasShown || context.commit() === "end";
}

export function resetMessages({ writer }: PartContext): void {
  writer.tick();
  for (const messageId of writer.trace.messageIds) writer.write({ type: "text-reset", messageId });
}

/** True when tools may have run in a failed attempt without an event about them, so that the attempt must not be repeated. */
export function mayHaveActed(provider: Provider, { mode }: RunRequest, failure: Failure): boolean {
  // The text and json formats contain only the answer.
  const reportsTools = provider.transports.spawn.wire.framing === "stream-json";
  if (failure.code === "start-failed" || reportsTools) return false;
  if (mode === "agent") return true;
  return provider.traits.ownTools !== "off" && !BEFORE_ANY_WORK.has(failure.category);
}

/** In these categories the service refused the first request, so the model called no tool. */
const BEFORE_ANY_WORK: ReadonlySet<FailureCategory> = new Set([
  "quota",
  "rate_limit",
  "authentication",
  "validation",
  "not_found",
  "configuration",
]);
