import { RunError } from "../spec/failure/run-error.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunStream } from "../spec/stream.ts";
import type { RunEvent } from "../spec/wire/events.ts";

type Batch = readonly RunEvent[];

type RunSource = {
  next(): Batch | undefined | Promise<Batch | undefined>;
  /** Drops the events, because no consumer will read them. */
  discard(): void;
  /** Cancels the run; its last events still follow. */
  cancel(): void;
  /** Told when a consumer takes the events, and when one waits for the result. */
  readonly onUse?: (use: "events" | "result") => void;
  /** Resolves when the run is over, whether its events are read or not. */
  readonly done: Promise<RunResult>;
};

export function createRunStream(source: RunSource): RunStream {
  let isRead = false;
  const claim = (): BatchIterator => {
    if (isRead) throw new TypeError(READ_TWICE);
    isRead = true;
    source.onUse?.("events");
    return new BatchIterator(source);
  };
  return {
    [Symbol.asyncIterator]: () => new EventIterator(claim()),
    batches() {
      let iterator: BatchIterator | undefined = claim();
      return {
        [Symbol.asyncIterator]() {
          if (iterator === undefined) throw new TypeError(READ_TWICE);
          const claimed = iterator;
          iterator = undefined;
          return claimed;
        },
      };
    },
    async result(): Promise<RunResult> {
      if (!isRead) source.discard();
      isRead = true;
      source.onUse?.("result");
      const result = await source.done;
      if (result.failure !== undefined) throw new RunError(result.failure, result);
      return result;
    },
    outcome() {
      source.onUse?.("result");
      return source.done;
    },
    interrupt: () => source.cancel(),
  };
}

const READ_TWICE =
  "The events of a run can be read only once, and result() reads them if nothing else has. Read the events before result(), or set keepEvents.";

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined };

class BatchIterator implements AsyncIterator<Batch> {
  private readonly source: RunSource;
  private finished = false;

  constructor(source: RunSource) {
    this.source = source;
  }

  async next(): Promise<IteratorResult<Batch>> {
    const batch = this.finished ? undefined : await this.source.next();
    if (batch !== undefined) return { done: false, value: batch };
    this.finished = true;
    return DONE;
  }

  /** Leaving the loop early cancels the run. */
  return(): Promise<IteratorResult<Batch>> {
    if (!this.finished) {
      this.source.cancel();
      this.source.discard();
    }
    this.finished = true;
    return Promise.resolve(DONE);
  }
}

/** Not a generator, because that costs twice as much on a long stream. */
class EventIterator implements AsyncIterator<RunEvent> {
  private readonly batches: BatchIterator;
  private batch: Batch = [];
  private at = 0;
  private loading: Promise<unknown> = Promise.resolve();

  constructor(batches: BatchIterator) {
    this.batches = batches;
  }

  next(): Promise<IteratorResult<RunEvent>> {
    const value = this.batch[this.at];
    if (value === undefined) return this.nextBatch();
    this.at += 1;
    return Promise.resolve({ done: false, value });
  }

  async return(): Promise<IteratorResult<RunEvent>> {
    await this.batches.return();
    this.batch = [];
    return DONE;
  }

  /** Concurrent calls of `next` wait for each other, so that no event is skipped. */
  private async nextBatch(): Promise<IteratorResult<RunEvent>> {
    const before = this.loading;
    let loaded = (): void => {};
    this.loading = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    try {
      await before;
      while (this.at >= this.batch.length) {
        const next = await this.batches.next();
        if (next.done === true) return DONE;
        this.batch = next.value;
        this.at = 0;
      }
      return this.next();
    } finally {
      loaded();
    }
  }
}
