/** Work that pauses after each slice, so that its caller can let the event loop run in between. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** How many characters one slice may process: a millisecond or two of work. */
export const SLICE: number = 64 * 1024;

/** Does all slices at once. For short texts, and for callers that cannot wait. */
export function finish<T>(work: Sliced<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Finds the occurrences of a string or pattern in a text from left to right; all questions together cost one pass. */
export class NextIndex {
  private readonly text: string;
  private readonly find: (from: number) => number;
  private known = -1;

  /** A pattern needs the flag `g`. */
  constructor(text: string, wanted: string | RegExp) {
    this.text = text;
    this.find =
      typeof wanted === "string"
        ? (from) => text.indexOf(wanted, from)
        : (from) => {
            wanted.lastIndex = from;
            return wanted.exec(text)?.index ?? -1;
          };
  }

  /** The first occurrence at `from` or later, or the length of the text. `from` must not decrease from call to call. */
  at(from: number): number {
    if (this.known >= from) return this.known;
    const found = this.find(from);
    this.known = found === -1 ? this.text.length : found;
    return this.known;
  }
}

/** A text that takes more work per character than this was made to be slow to read. */
const MOST_PER_CHARACTER = 8;
/** A reading costs as much as this many characters, however short it is. */
const PER_READING = 64;
const ALWAYS_ALLOWED = 100_000;

/** Bounds how often parts of one text are read again. */
export class WorkLimit {
  private left: number;

  constructor(text: string) {
    this.left = MOST_PER_CHARACTER * text.length + ALWAYS_ALLOWED;
  }

  /** Counts a reading of this many characters; throws a RangeError when there were too many. */
  spend(characters: number): void {
    this.left -= characters + PER_READING;
    if (this.left < 0) throw new RangeError("The text takes too much work to read.");
  }
}

/** How long slices may run until the event loop gets its turn. */
const MOST_MS = 8;

type SlicedQueueOptions = {
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
