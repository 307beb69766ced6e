import { finish, type Sliced } from "./slices.ts";

/** How long slices may run until the event loop gets its turn. */
const MOST_MS = 8;

export type SlicedQueueOptions = {
  /** Asked between bursts; work that is left is dropped, except kept work. */
  readonly isStopped: () => boolean;
  /** Called with each burst of slices that runs in a turn of its own. */
  readonly inBurst: (burst: () => void) => void;
};

type Task = { readonly work: Sliced<void>; readonly isKept: boolean };

/** Does pieces of work in their order: at once when they are short, otherwise in slices, so that timers and aborts are heard. */
export class SlicedQueue {
  private readonly options: SlicedQueueOptions;
  private waiting: Task[] = [];
  /** How many tasks at the front of `waiting` are done. */
  private head = 0;
  private draining: Promise<void> | undefined;
  private isDropped = false;
  private error: unknown;

  constructor(options: SlicedQueueOptions) {
    this.options = options;
  }

  /** Adds work; it is done when this returns, if nothing waits and it is short. Kept work is done even if the rest is dropped. */
  add(work: Sliced<void>, isKept = false): void {
    if (this.isDropped) {
      if (isKept) finish(work);
    } else if (this.draining !== undefined || !isDoneBy(work, performance.now() + MOST_MS)) {
      this.waiting.push({ work, isKept });
      // Never rejects: an error is stored for `finished`.
      this.draining ??= this.drain();
    }
  }

  /** Resolves when nothing is left: true when all work was done, false when it was stopped. Rejects when work has thrown. */
  async finished(): Promise<boolean> {
    while (this.draining !== undefined) await this.draining;
    if (this.error !== undefined) throw this.error;
    return !this.isDropped;
  }

  private async drain(): Promise<void> {
    while (this.head < this.waiting.length) {
      await new Promise((resolve) => setImmediate(resolve));
      try {
        this.options.inBurst(() => (this.options.isStopped() ? this.drop() : this.doBurst()));
      } catch (error) {
        this.error = error;
        this.waiting = [];
        this.isDropped = true;
      }
    }
    this.waiting = [];
    this.head = 0;
    this.draining = undefined;
  }

  private doBurst(): void {
    const until = performance.now() + MOST_MS;
    for (let task = this.waiting[this.head]; task !== undefined; task = this.waiting[this.head]) {
      if (!isDoneBy(task.work, until)) return;
      this.head += 1;
      if (performance.now() >= until) return;
    }
  }

  /** Ends the work under way, and does only the kept work behind it. */
  private drop(): void {
    this.isDropped = true;
    const kept = this.waiting.slice(this.head).filter(({ isKept }) => isKept);
    this.waiting = [];
    for (const { work } of kept) finish(work);
  }
}

/** Does slices until the work is done or the time has come; true when it is done. */
function isDoneBy(work: Sliced<void>, time: number): boolean {
  do {
    if (work.next().done === true) return true;
  } while (performance.now() < time);
  return false;
}
