import type { LimitOptions } from "../spec/policy.ts";

/** A run that waits for a place. */
export type Waiting = {
  readonly provider: string;
  /** Told its position, from 1, when it joins and whenever that changes. */
  readonly onPosition: (position: number) => void;
  /** The place is taken for it. */
  readonly onPlace: () => void;
};

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
  private readonly waiting: Waiting[] = [];

  constructor({ perProvider = 8, total = 16, queue = 256 }: LimitOptions) {
    this.perProvider = perProvider;
    this.total = total;
    this.queue = queue;
  }

  /** How many wait. */
  get length(): number {
    return this.waiting.length;
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
    if (this.waiting.length >= this.queue) return false;
    this.waiting.push(waiting);
    waiting.onPosition(this.waiting.length);
    return true;
  }

  /** Leaves the queue without a place; those behind move up. */
  leave(waiting: Waiting): void {
    const index = this.waiting.indexOf(waiting);
    if (index >= 0) this.remove(index);
  }

  /** Gives a place back. */
  release(provider: string): void {
    if (this.takenBy(provider) > 1) this.taken.set(provider, this.takenBy(provider) - 1);
    else this.taken.delete(provider);
    this.takenInAll -= 1;
    const index = this.waiting.findIndex((waiting) => this.isFree(waiting.provider));
    const first = this.waiting[index];
    if (first === undefined || !this.take(first.provider)) return;
    this.remove(index);
    first.onPlace();
  }

  private remove(index: number): void {
    this.waiting.splice(index, 1);
    for (const [offset, waiting] of this.waiting.slice(index).entries()) waiting.onPosition(index + offset + 1);
  }

  private isFree(provider: string): boolean {
    return this.takenInAll < this.total && this.takenBy(provider) < this.perProvider;
  }

  private takenBy(provider: string): number {
    return this.taken.get(provider) ?? 0;
  }
}
