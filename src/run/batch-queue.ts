import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../files/host-directory.ts";
import { removeQuietly } from "../files/leftovers.ts";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { failedEnd } from "./part.ts";

type Batch = readonly RunEvent[];

/** The approximate size in bytes of a batch whose size was not measured. */
function weightOf(batch: Batch): number {
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
  push(batch: Batch, weight: number = weightOf(batch)): void {
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

/** A first-in-first-out queue of batches in a file that only this process can open. */
export class Spill {
  private readonly lengths: number[] = [];
  private readonly directory: string;
  private readonly file: number;
  private written = 0;
  private read = 0;
  isClosed = false;

  constructor() {
    this.directory = temporaryDirectory();
    try {
      this.file = openSync(join(this.directory, "events"), "wx+", 0o600);
    } catch (error) {
      removeQuietly([this.directory]);
      throw error;
    }
    // Unix keeps an open file after its name is removed, so not even a crash leaves it behind; on Windows it is removed on close.
    if (process.platform !== "win32") removeQuietly([this.directory]);
  }

  /** Undefined if the file cannot be created. */
  static open(): Spill | undefined {
    try {
      return new Spill();
    } catch {
      return undefined;
    }
  }

  get isEmpty(): boolean {
    return this.lengths.length === 0;
  }

  /** Writes a batch; returns false, and stores nothing of it, if the write fails or the file is closed. */
  push(batch: Batch): boolean {
    if (this.isClosed) return false;
    try {
      const bytes = Buffer.from(JSON.stringify(batch));
      for (let from = 0; from < bytes.length; )
        from += writeSync(this.file, bytes, from, bytes.length - from, this.written + from);
      this.written += bytes.length;
      this.lengths.push(bytes.length);
      return true;
    } catch {
      return false;
    }
  }

  /** Undefined if the spill is empty. Throws if the oldest batch is lost: the file is closed or broken. */
  shift(): Batch | undefined {
    const length = this.lengths.shift();
    if (length === undefined) return undefined;
    if (this.isClosed) throw new Error("the file is closed");
    const bytes = Buffer.alloc(length);
    for (let from = 0; from < length; ) {
      const count = readSync(this.file, bytes, from, length - from, this.read + from);
      if (count === 0) throw new Error("the file is too short");
      from += count;
    }
    this.read += length;
    return JSON.parse(bytes.toString("utf8")) as Batch;
  }

  /** The batches in the file are lost. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      closeSync(this.file);
    } catch {
      // A disk may report only now that it could not store the file, of which nothing is read any more.
    }
    removeQuietly([this.directory]);
  }
}
