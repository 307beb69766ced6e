import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../process/private-files.ts";
import type { RunEvent } from "../spec/events.ts";

type Batch = readonly RunEvent[];

/** Batches kept in a file that only this process can reach, first in, first out. */
export class Spill {
  private readonly lengths: number[] = [];
  private readonly directory: string;
  private readonly file: number;
  private written = 0;
  private read = 0;

  constructor() {
    this.directory = temporaryDirectory();
    this.file = openSync(join(this.directory, "events"), "wx+", 0o600);
    // Unix lets an open file go nameless, so not even a crash leaves it behind; Windows removes it on close.
    if (process.platform !== "win32") rmSync(this.directory, { recursive: true, force: true });
  }

  /** Whether nothing is kept. */
  get isEmpty(): boolean {
    return this.lengths.length === 0;
  }

  /** Keeps a batch. */
  push(batch: Batch): void {
    const bytes = Buffer.from(JSON.stringify(batch));
    for (let from = 0; from < bytes.length; ) from += writeSync(this.file, bytes, from, bytes.length - from, this.written + from);
    this.written += bytes.length;
    this.lengths.push(bytes.length);
  }

  /** Gives the oldest batch back. */
  shift(): Batch {
    const length = this.lengths.shift() ?? 0;
    const bytes = Buffer.alloc(length);
    for (let from = 0; from < length; ) from += readSync(this.file, bytes, from, length - from, this.read + from);
    this.read += length;
    return JSON.parse(bytes.toString("utf8")) as Batch;
  }

  /** Forgets everything. */
  close(): void {
    closeSync(this.file);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
