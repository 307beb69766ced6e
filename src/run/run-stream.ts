import type { RunEvent } from "../spec/events.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import { Collector } from "./collect.ts";

type Batch = readonly RunEvent[];

/** Where the events of a run come from. */
export type RunSource = {
  next(): Batch | undefined | Promise<Batch | undefined>;
  /** Ends the run early; its last events still come. */
  cancel(): void;
};

/** Makes the public handle of a run; the events are folded as they pass, whoever reads them. */
export function createRunStream(source: RunSource, keepEvents: boolean): RunStream {
  const collector = new Collector(keepEvents);
  let isRead = false;
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const pull = async (): Promise<Batch | undefined> => {
    const batch = await source.next();
    if (batch === undefined) ended();
    else for (const event of batch) collector.add(event);
    return batch;
  };
  const drain = async (): Promise<void> => {
    while ((await pull()) !== undefined);
  };
  const claim = (): void => {
    if (isRead) throw new TypeError("A run can be read only once.");
    isRead = true;
  };
  const leave = (): void => {
    source.cancel();
    void drain();
  };
  return {
    [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
      claim();
      return new EventIterator(pull, leave);
    },
    batches(): AsyncIterable<Batch> {
      claim();
      return { [Symbol.asyncIterator]: () => new BatchIterator(pull, leave) };
    },
    async result(): Promise<RunResult> {
      if (!isRead) {
        isRead = true;
        void drain();
      }
      await end;
      const result = collector.result();
      if (result.failure !== undefined) throw new RunError(result.failure, result);
      return result;
    },
    interrupt: () => source.cancel(),
  };
}

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined };

class BatchIterator implements AsyncIterator<Batch> {
  private readonly pull: () => Promise<Batch | undefined>;
  private readonly leave: () => void;
  private finished = false;

  constructor(pull: () => Promise<Batch | undefined>, leave: () => void) {
    this.pull = pull;
    this.leave = leave;
  }

  async next(): Promise<IteratorResult<Batch>> {
    const batch = this.finished ? undefined : await this.pull();
    if (batch !== undefined) return { done: false, value: batch };
    this.finished = true;
    return DONE;
  }

  return(): Promise<IteratorResult<Batch>> {
    if (!this.finished) this.leave();
    this.finished = true;
    return Promise.resolve(DONE);
  }
}

/** Written by hand: a generator per event costs twice as much on a long stream. */
class EventIterator implements AsyncIterator<RunEvent> {
  private readonly batches: BatchIterator;
  private batch: Batch = [];
  private at = 0;

  constructor(pull: () => Promise<Batch | undefined>, leave: () => void) {
    this.batches = new BatchIterator(pull, leave);
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

  private async nextBatch(): Promise<IteratorResult<RunEvent>> {
    const next = await this.batches.next();
    if (next.done === true) return DONE;
    this.batch = next.value;
    this.at = 0;
    return this.next();
  }
}
