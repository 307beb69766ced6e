import { cancelledEnd, failedEnd, hasTimeFor, type PartContext, type Policy, waitFor } from "../run/part.ts";
import type { LimitOptions } from "../spec/client-options.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";

/** Limits the number of concurrent runs; further runs wait in a queue, and a run that finds it full is refused, unless it may wait (`fullQueue`). */
export function limit(options: LimitOptions = {}): Policy {
  const places = new Places(options);
  return (next) => async (targets, request, context) => {
    const { id } = targets[0].provider;
    const refusal = places.take(id) ? undefined : await waitForPlace(places, id, request, context);
    if (refusal !== undefined) return refusal;
    try {
      return await next(targets, request, context);
    } finally {
      places.release(id);
    }
  };
}

/** Returns the end of a run that gets no place. */
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
  return failedEnd(queueFull(`The run waited ${toSeconds(maxWaitMs)} in the queue; ${others}.`, places.waitMs(provider)));
}

/** An invalid number is treated as no bound here; validation refuses it when the run begins. */
function boundOf(ms: number | undefined): number {
  return ms !== undefined && ms >= 0 ? ms : Number.POSITIVE_INFINITY;
}

function noTime({ timeouts }: RunRequest): Failure {
  return createFailure(
    "total-timeout",
    `The run waited in the queue until its total timeout of ${toSeconds(timeouts?.totalMs ?? 0)}.`,
  );
}

/** The bounds of the wait that a full queue states: a caller that comes back sooner or later than it should finds out. */
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

function queueFull(message: string, waitMs: number): Failure {
  const retryAfterMs = Math.round(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, waitMs)));
  return createFailure("queue-full", message, { retryAfterMs });
}

export type Waiting = {
  readonly provider: string;
  /** Called with the position, from 1, when the run joins, and then at most once a second when it has changed. */
  readonly onPosition: (position: number) => void;
  readonly onPlace: () => void;
};

/** `reported` is the position that the run was told last. */
type Queued = { readonly waiting: Waiting; readonly joinedAt: number; reported: number };

/** Minimum time between position updates: a queue of hundreds changes many times a second. */
const REPORT_MS = 1000;

/** After so many runs the older ones count less. */
const RECENT = 64;

/**
 * A limited number of places, per provider and in total. A free place goes to the longest-waiting run whose provider has a
 * place, so that a busy provider does not block the others.
 */
export class Places {
  private readonly perProvider: number;
  private readonly total: number;
  private readonly queue: number;
  private readonly taken = new Map<string, number>();
  private takenInAll = 0;
  private readonly queued: Queued[] = [];
  /** How long places were held, all together, and how many became free: their quotient is the mean time of a run. */
  private heldMs = 0;
  private freed = 0;
  private countedAt = performance.now();
  /** Set while a position has changed and was not reported yet; does not keep the host alive. */
  private clock: NodeJS.Timeout | undefined;

  constructor({ perProvider = 8, total = 16, queue = 256 }: LimitOptions) {
    this.perProvider = perProvider;
    this.total = total;
    this.queue = queue;
  }

  get length(): number {
    return this.queued.length;
  }

  /** The time in which the runs that wait now get their places, by the mean time of a run so far. */
  waitMs(provider: string): number {
    this.count();
    const meanMs = this.heldMs / Math.max(1, this.freed);
    const behind = this.queued.filter(({ waiting }) => waiting.provider === provider).length;
    return meanMs * Math.max(behind / this.perProvider, this.queued.length / this.total);
  }

  /** False if no place is free. */
  take(provider: string): boolean {
    if (!this.isFree(provider)) return false;
    this.count();
    this.taken.set(provider, this.takenBy(provider) + 1);
    this.takenInAll += 1;
    return true;
  }

  /** Joins the queue; false when it is full, unless the run waits all the same. */
  join(waiting: Waiting, fullQueue: "refuse" | "wait" = "refuse"): boolean {
    if (fullQueue === "refuse" && this.queued.length >= this.queue) return false;
    const reported = this.queued.length + 1;
    this.queued.push({ waiting, joinedAt: performance.now(), reported });
    waiting.onPosition(reported);
    return true;
  }

  /** The runs behind move up. */
  leave(waiting: Waiting): void {
    const index = this.queued.findIndex((queued) => queued.waiting === waiting);
    if (index >= 0) this.remove(index);
  }

  release(provider: string): void {
    this.count();
    this.freed += 1;
    // Older runs count half, so that the mean follows the runs of the last minutes.
    if (this.freed >= RECENT) [this.freed, this.heldMs] = [this.freed / 2, this.heldMs / 2];
    if (this.takenBy(provider) > 1) this.taken.set(provider, this.takenBy(provider) - 1);
    else this.taken.delete(provider);
    this.takenInAll -= 1;
    const index = this.queued.findIndex(({ waiting }) => this.isFree(waiting.provider));
    const first = this.queued[index]?.waiting;
    if (first === undefined || !this.take(first.provider)) return;
    this.remove(index);
    first.onPlace();
  }

  private count(): void {
    const now = performance.now();
    this.heldMs += this.takenInAll * (now - this.countedAt);
    this.countedAt = now;
  }

  private remove(index: number): void {
    this.queued.splice(index, 1);
    if (index < this.queued.length) this.startClock();
    if (this.queued.length > 0) return;
    clearTimeout(this.clock);
    this.clock = undefined;
  }

  private startClock(): void {
    this.clock ??= setTimeout(() => this.reportPositions(), REPORT_MS).unref();
  }

  /** A run that joined less than a second ago got its position then; the timer is started again for it. */
  private reportPositions(): void {
    this.clock = undefined;
    const now = performance.now();
    for (const [index, queued] of this.queued.entries()) {
      if (queued.reported === index + 1) continue;
      if (now - queued.joinedAt < REPORT_MS) this.startClock();
      else {
        queued.reported = index + 1;
        queued.waiting.onPosition(queued.reported);
      }
    }
  }

  private isFree(provider: string): boolean {
    return this.takenInAll < this.total && this.takenBy(provider) < this.perProvider;
  }

  private takenBy(provider: string): number {
    return this.taken.get(provider) ?? 0;
  }
}
