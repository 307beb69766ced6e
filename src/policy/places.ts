import type { LimitOptions } from "../spec/policy.ts";

/** A run that waits for a place. */
export type Waiting = {
  readonly provider: string;
  /** Told its position, from 1, when it joins, and then at most once a second when it has changed. */
  readonly onPosition: (position: number) => void;
  /** The place is taken for it. */
  readonly onPlace: () => void;
};

/** A run in the queue: since when, and the position that it was told last. */
type Queued = { readonly waiting: Waiting; readonly joinedAt: number; told: number };

/** How often those who wait may be told: a queue of hundreds changes many times a second. */
const TELL_MS = 1000;

/**
 * A bounded number of places, for each provider and in all. Whoever waits longest and whose provider has a place goes first, so
 * that a busy provider does not hold up the others.
 */
export class Places {
  private readonly perProvider: number;
  private readonly total: number;
  private readonly queue: number;
  private readonly taken = new Map<string, number>();
  private takenInAll = 0;
  private readonly queued: Queued[] = [];
  /** Runs while somebody has a position that was not told yet; never keeps the host alive. */
  private clock: NodeJS.Timeout | undefined;

  constructor({ perProvider = 8, total = 16, queue = 256 }: LimitOptions) {
    this.perProvider = perProvider;
    this.total = total;
    this.queue = queue;
  }

  /** How many wait. */
  get length(): number {
    return this.queued.length;
  }

  /** Takes a place at once, if there is one. */
  take(provider: string): boolean {
    if (!this.isFree(provider)) return false;
    this.taken.set(provider, this.takenBy(provider) + 1);
    this.takenInAll += 1;
    return true;
  }

  /** Joins the queue; false when it is full. */
  join(waiting: Waiting): boolean {
    if (this.queued.length >= this.queue) return false;
    const told = this.queued.length + 1;
    this.queued.push({ waiting, joinedAt: performance.now(), told });
    waiting.onPosition(told);
    return true;
  }

  /** Leaves the queue without a place; those behind move up. */
  leave(waiting: Waiting): void {
    const index = this.queued.findIndex((queued) => queued.waiting === waiting);
    if (index >= 0) this.remove(index);
  }

  /** Gives a place back. */
  release(provider: string): void {
    if (this.takenBy(provider) > 1) this.taken.set(provider, this.takenBy(provider) - 1);
    else this.taken.delete(provider);
    this.takenInAll -= 1;
    const index = this.queued.findIndex(({ waiting }) => this.isFree(waiting.provider));
    const first = this.queued[index]?.waiting;
    if (first === undefined || !this.take(first.provider)) return;
    this.remove(index);
    first.onPlace();
  }

  private remove(index: number): void {
    this.queued.splice(index, 1);
    if (index < this.queued.length) this.startClock();
    if (this.queued.length > 0) return;
    clearTimeout(this.clock);
    this.clock = undefined;
  }

  private startClock(): void {
    this.clock ??= setTimeout(() => this.tellPositions(), TELL_MS).unref();
  }

  /** Those who have just joined were told then; the clock goes on for them. */
  private tellPositions(): void {
    this.clock = undefined;
    const now = performance.now();
    for (const [index, queued] of this.queued.entries()) {
      if (queued.told === index + 1) continue;
      if (now - queued.joinedAt < TELL_MS) this.startClock();
      else {
        queued.told = index + 1;
        queued.waiting.onPosition(queued.told);
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
