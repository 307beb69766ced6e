import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { failedEnd } from "./failed-end.ts";
import { Spill } from "./spill.ts";

type Batch = readonly RunEvent[];

/** The approximate size in bytes of a batch whose size was not measured. */
export function weightOf(batch: Batch): number {
  return batch.reduce((weight, event) => weight + ("text" in event ? (event.text?.length ?? 0) : 100), 0);
}

/**
 * The queue of event batches between a run and its consumer. A slow consumer never blocks the CLI: above a limit the batches
 * wait in a file instead of in memory.
 */
export class BatchQueue {
  private readonly spillBytes: number;
  private readonly spills: Set<Spill>;
  private readonly onLost: () => void;
  /** Why events that waited in the file are lost; the consumer gets it as the end of the run. */
  lost: Failure | undefined;
  /** The last event that the consumer got. */
  private last: RunEvent | undefined;
  private waiting: { readonly batch: Batch; readonly weight: number }[] = [];
  /** Batches that could not be written to the file; they come after those in the file. */
  private late: { readonly batch: Batch; readonly weight: number }[] = [];
  private weight = 0;
  private spill: Spill | undefined;
  private ended = false;
  private discarding = false;
  private readers: ((batch: Batch | undefined) => void)[] = [];

  /**
   * `spills` has the files in use, so that their owner can close those that will not be read. `onLost` is called when events in the
   * file are lost.
   */
  constructor(spillBytes: number, spills: Set<Spill> = new Set(), onLost: () => void = () => {}) {
    this.spillBytes = spillBytes;
    this.spills = spills;
    this.onLost = onLost;
  }

  /** Adds a batch; `weight` is its approximate size in bytes. Does nothing after `end` or `discard`. */
  push(batch: Batch, weight: number): void {
    const reader = this.readers.shift();
    if (this.ended || this.discarding) return;
    if (reader !== undefined) reader(this.noteLast(batch));
    else if (!this.isSpilling(weight)) this.keep(this.waiting, batch, weight);
    else if (this.late.length > 0 || this.spill?.push(batch) !== true) this.keep(this.late, batch, weight);
  }

  end(): void {
    this.ended = true;
    for (const reader of this.readers.splice(0)) reader(undefined);
  }

  /** Drops all batches, also later ones, because no consumer will read them. */
  discard(): void {
    this.discarding = true;
    for (const reader of this.readers.splice(0)) reader(undefined);
    this.closeSpill();
    this.waiting = [];
    this.late = [];
  }

  /** Undefined after the last batch. */
  next(): Batch | undefined | Promise<Batch | undefined> {
    const first = this.waiting.shift();
    if (first !== undefined) {
      this.weight -= first.weight;
      return this.noteLast(first.batch);
    }
    if (this.spill !== undefined) return this.nextSpilled(this.spill);
    if (this.ended || this.discarding) return undefined;
    return new Promise((resolve) => this.readers.push(resolve));
  }

  private nextSpilled(spill: Spill): Batch | undefined | Promise<Batch | undefined> {
    try {
      const spilled = spill.shift();
      if (spill.isEmpty) this.closeSpill();
      // If no batch could be written to the file, closing it has moved the late batches to `waiting`.
      return spilled === undefined ? this.next() : this.noteLast(spilled);
    } catch (error) {
      const why = thrownMessage(error);
      const isClosed = createFailure("interrupted", "The client was closed before all events were read.");
      return this.lose(
        spill.isClosed ? isClosed : createFailure("state-unusable", `Events in a temporary file are lost: ${why}.`),
      );
    }
  }

  /** The events that follow would be out of order, so the end of the run takes their place. */
  private lose(failure: Failure): Batch {
    this.lost = failure;
    this.discard();
    this.onLost();
    const { seq = -1, atMs = 0 } = this.last ?? {};
    return [{ ...failedEnd(failure), seq: seq + 1, atMs }];
  }

  private noteLast(batch: Batch): Batch {
    this.last = batch.at(-1) ?? this.last;
    return batch;
  }

  private keep(list: { readonly batch: Batch; readonly weight: number }[], batch: Batch, weight: number): void {
    list.push({ batch, weight });
    this.weight += weight;
  }

  /**
   * While batches wait in a file, further ones go there too, to keep the order. If no file can be opened, they wait in memory.
   */
  private isSpilling(weight: number): boolean {
    if (this.spill !== undefined) return true;
    if (this.weight + weight <= this.spillBytes) return false;
    this.spill = Spill.open();
    if (this.spill !== undefined) this.spills.add(this.spill);
    return this.spill !== undefined;
  }

  private closeSpill(): void {
    if (this.spill === undefined) return;
    this.spills.delete(this.spill);
    this.spill.close();
    this.spill = undefined;
    this.waiting.push(...this.late);
    this.late = [];
  }
}
