import type { Sliced } from "./slices.ts";

/** How long slices may run until the event loop gets its turn. */
const MOST_MS = 8;

/** How a queue is bounded and observed. */
export type SlicedQueueOptions = {
  /** Asked between slices; work that is left is dropped. */
  readonly isStopped: () => boolean;
  /** Called with each burst of slices that runs in a turn of its own. */
  readonly inBurst: (burst: () => void) => void;
};

/** Does pieces of work in their order: at once when they are short, otherwise in slices, so that timers and aborts are heard. */
export class SlicedQueue {
  private readonly options: SlicedQueueOptions;
  private readonly waiting: Sliced<void>[] = [];
  private draining: Promise<void> | undefined;
  private isDropped = false;
  private error: unknown;

  constructor(options: SlicedQueueOptions) {
    this.options = options;
  }

  /** Adds work; it is done when this returns, if nothing waits and it is short. */
  add(work: Sliced<void>): void {
    if (this.isDropped || (this.draining === undefined && isDoneBy(work, performance.now() + MOST_MS))) return;
    this.waiting.push(work);
    // Never rejects: an error is kept for `finished`.
    this.draining ??= this.drain();
  }

  /** Resolves when nothing is left: true when all work was done, false when it was stopped. Rejects when work has thrown. */
  async finished(): Promise<boolean> {
    while (this.draining !== undefined) await this.draining;
    if (this.error !== undefined) throw this.error;
    return !this.isDropped;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.options.isStopped()) this.drop();
      else this.options.inBurst(() => this.doBurst());
    }
    this.draining = undefined;
  }

  private doBurst(): void {
    const until = performance.now() + MOST_MS;
    try {
      for (let next = this.waiting[0]; next !== undefined && isDoneBy(next, until); next = this.waiting[0]) this.waiting.shift();
    } catch (error) {
      this.error = error;
      this.drop();
    }
  }

  private drop(): void {
    this.waiting.length = 0;
    this.isDropped = true;
  }
}

/** Does slices until the work is done or the time has come; true when it is done. */
function isDoneBy(work: Sliced<void>, time: number): boolean {
  do {
    if (work.next().done === true) return true;
  } while (performance.now() < time);
  return false;
}
