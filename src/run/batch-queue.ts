import type { RunEvent } from "../spec/events.ts";
import { Spill } from "./spill.ts";

type Batch = readonly RunEvent[];

/** About how many bytes a batch takes that was not read from a process. */
export function weightOf(batch: Batch): number {
  return batch.reduce((weight, event) => weight + ("text" in event ? (event.text?.length ?? 0) : 100), 0);
}

/**
 * Batches between a program that prints and a consumer that reads: the program is never held up, and past a bound the
 * batches wait in a file instead of in memory.
 */
export class BatchQueue {
  private readonly spillBytes: number;
  private readonly spills: Set<Spill>;
  private waiting: { readonly batch: Batch; readonly weight: number }[] = [];
  /** What the file could not take; it comes after what the file holds. */
  private late: { readonly batch: Batch; readonly weight: number }[] = [];
  private weight = 0;
  private spill: Spill | undefined;
  private ended = false;
  private discarding = false;
  private readers: ((batch: Batch | undefined) => void)[] = [];

  /** `spills` holds the files that are in use, so that their owner can close those that nobody will read. */
  constructor(spillBytes: number, spills: Set<Spill> = new Set()) {
    this.spillBytes = spillBytes;
    this.spills = spills;
  }

  /** Adds a batch; `weight` is about how many bytes it takes. After the end nothing is added. */
  push(batch: Batch, weight: number): void {
    const reader = this.readers.shift();
    if (this.ended || this.discarding) return;
    if (reader !== undefined) reader(batch);
    else if (!this.isSpilling(weight)) this.keep(this.waiting, batch, weight);
    else if (this.late.length > 0 || this.spill?.push(batch) !== true) this.keep(this.late, batch, weight);
  }

  /** No more batches will come. */
  end(): void {
    this.ended = true;
    for (const reader of this.readers.splice(0)) reader(undefined);
  }

  /** Nobody will read the batches. */
  discard(): void {
    this.discarding = true;
    for (const reader of this.readers.splice(0)) reader(undefined);
    this.closeSpill();
    this.waiting = [];
  }

  /** The next batch, or undefined after the last. */
  next(): Batch | undefined | Promise<Batch | undefined> {
    const first = this.waiting.shift();
    if (first !== undefined) {
      this.weight -= first.weight;
      return first.batch;
    }
    if (this.spill !== undefined) {
      const spilled = this.spill.shift();
      if (this.spill.isEmpty) this.closeSpill();
      // Where the file took nothing, what it was meant to take waits in memory now.
      return spilled ?? this.next();
    }
    if (this.ended || this.discarding) return undefined;
    return new Promise((resolve) => this.readers.push(resolve));
  }

  private keep(list: { readonly batch: Batch; readonly weight: number }[], batch: Batch, weight: number): void {
    list.push({ batch, weight });
    this.weight += weight;
  }

  /** Once batches wait in a file the next ones do too, until all are read; where no file can be had they wait in memory. */
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
