import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { PartContext, Policy } from "../run/part.ts";
import { hasTimeFor, waitFor } from "../run/policy.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { LimitOptions } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { Places, type Waiting } from "./places.ts";

/** Limits the number of concurrent runs; further runs wait in a queue, and a run that finds it full is refused, unless it may wait (`fullQueue`). */
export function limit(options: LimitOptions = {}): Policy {
  const places = new Places(options);
  return (next) => async (targets, request, context) => {
    const [{ id }] = targets;
    const refusal = places.take(id) ? undefined : await waitForPlace(places, id, request, context);
    if (refusal !== undefined) return refusal;
    try {
      return await next(targets, request, context);
    } finally {
      places.release(id);
    }
  };
}

/** Waits until the run has a place; returns the end of a run that gets none. */
async function waitForPlace(
  places: Places,
  provider: string,
  request: RunRequest,
  context: PartContext,
): Promise<RunEnd | undefined> {
  const { writer, total, fullQueue } = context;
  const maxWaitMs = boundOf(request.maxWaitMs);
  // A run that waits however long the queue is has its total time for its work alone.
  const resumeTotal = fullQueue === "wait" ? total?.hold() : undefined;
  const leftMs = fullQueue === "wait" ? Number.POSITIVE_INFINITY : Math.max(0, total?.leftMs() ?? Number.POSITIVE_INFINITY);
  const longestMs = Math.min(maxWaitMs, leftMs);
  let wake = (): void => {};
  let isPlaced = false;
  const waiting: Waiting = {
    provider,
    onPosition: (position) => {
      writer.tick();
      writer.write({ type: "queue-wait", position });
      writer.flush();
    },
    onPlace: () => {
      isPlaced = true;
      wake();
    },
  };
  const length = places.length;
  if (!places.join(waiting, fullQueue))
    return failedEnd(queueFull(`The queue is full: ${length} runs are waiting, which is the limit.`, places.waitMs(provider)));
  const end = await waitFor(context, Number.isFinite(longestMs) ? longestMs : undefined, (resume) => {
    wake = resume;
  });
  resumeTotal?.();
  if (isPlaced && end !== "cancelled" && hasTimeFor(context, 0)) return undefined;
  if (isPlaced) places.release(provider);
  else places.leave(waiting);
  if (end === "cancelled") return cancelledEnd();
  if (isPlaced || leftMs <= maxWaitMs) return failedEnd(noTime(request));
  const others = `${places.length} other runs are waiting`;
  return failedEnd(queueFull(`The run waited ${maxWaitMs} ms in the queue; ${others}.`, places.waitMs(provider)));
}

/** An invalid number is treated as no bound here; validation refuses it when the run begins. */
function boundOf(ms: number | undefined): number {
  return ms !== undefined && ms >= 0 ? ms : Number.POSITIVE_INFINITY;
}

function noTime({ timeouts }: RunRequest): Failure {
  return createFailure("total-timeout", `The run waited in the queue until its total timeout of ${timeouts?.totalMs} ms.`);
}

/** The bounds of the wait that a full queue states: a caller that comes back sooner or later than it should finds out. */
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

function queueFull(message: string, waitMs: number): Failure {
  const retryAfterMs = Math.round(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, waitMs)));
  return createFailure("queue-full", message, { retryAfterMs });
}
