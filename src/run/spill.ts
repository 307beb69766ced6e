import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../files/host-directory.ts";
import { removeQuietly } from "../files/leftovers.ts";
import type { RunEvent } from "../spec/wire/events.ts";

type Batch = readonly RunEvent[];

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
