import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly, temporaryDirectory } from "../process/private-files.ts";
import type { RunEvent } from "../spec/events.ts";

type Batch = readonly RunEvent[];

/** Batches kept in a file that only this process can reach, first in, first out. */
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
    // Unix lets an open file go nameless, so not even a crash leaves it behind; Windows removes it on close.
    if (process.platform !== "win32") rmSync(this.directory, { recursive: true, force: true });
  }

  /** Opens a file, or gives undefined where none can be had. */
  static open(): Spill | undefined {
    try {
      return new Spill();
    } catch {
      return undefined;
    }
  }

  /** Whether nothing is kept. */
  get isEmpty(): boolean {
    return this.lengths.length === 0;
  }

  /** Keeps a batch; false when it could not be written, and then nothing of it is kept. */
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

  /** Gives the oldest batch back; undefined when there is none or the file was closed. */
  shift(): Batch | undefined {
    const length = this.lengths.shift();
    if (length === undefined || this.isClosed) return undefined;
    const bytes = Buffer.alloc(length);
    for (let from = 0; from < length; ) from += readSync(this.file, bytes, from, length - from, this.read + from);
    this.read += length;
    return JSON.parse(bytes.toString("utf8")) as Batch;
  }

  /** Forgets everything. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.lengths.length = 0;
    closeSync(this.file);
    removeQuietly([this.directory]);
  }
}
