import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly, temporaryDirectory } from "../process/private-files.ts";
import type { RunEvent } from "../spec/events.ts";

type Batch = readonly RunEvent[];

/** A first-in-first-out queue of batches in a file that only this process can open. */
export class Spill {
  private readonly lengths: number[] = [];
  private readonly directory: string;
  private readonly file: number;
  private written = 0;
  private read = 0;
  private isClosed = false;

  constructor() {
    this.directory = temporaryDirectory();
    this.file = openSync(join(this.directory, "events"), "wx+", 0o600);
    // Unix keeps an open file after its name is removed, so not even a crash leaves it behind; on Windows it is removed on close.
    if (process.platform !== "win32") rmSync(this.directory, { recursive: true, force: true });
  }

  /** Opens a spill; undefined if the file cannot be created. */
  static open(): Spill | undefined {
    try {
      return new Spill();
    } catch {
      return undefined;
    }
  }

  /** True if the spill has no batch. */
  get isEmpty(): boolean {
    return this.lengths.length === 0;
  }

  /** Writes a batch; returns false, and stores nothing of it, if the write fails. */
  push(batch: Batch): boolean {
    if (this.isClosed) return true;
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

  /** Removes and returns the oldest batch; undefined if there is none or the file was closed. */
  shift(): Batch | undefined {
    const length = this.lengths.shift();
    if (length === undefined || this.isClosed) return undefined;
    const bytes = Buffer.alloc(length);
    for (let from = 0; from < length; ) from += readSync(this.file, bytes, from, length - from, this.read + from);
    this.read += length;
    return JSON.parse(bytes.toString("utf8")) as Batch;
  }

  /** Closes and removes the file. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.lengths.length = 0;
    closeSync(this.file);
    removeQuietly([this.directory]);
  }
}
