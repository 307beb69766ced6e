import { closeSync, type FSWatcher, fstatSync, openSync, read, watch } from "node:fs";
import { join } from "node:path";
import type { Output, OutputSink } from "./output.ts";
import { removeQuietly, temporaryDirectory } from "./private-files.ts";
import type { Child } from "./spawn-child.ts";

const CHUNK_BYTES = 65_536;
/** How often the file is looked at … */
const POLL_MS = 10;
/** … and how often once the system has shown that it tells of changes here. */
const WATCHED_POLL_MS = 250;

/**
 * Output that goes into a private file and is read while it grows: a program that exits before its pipe is drained loses the
 * end of what it printed, in a file nothing is lost.
 */
export class FileOutput implements Output {
  /** What the child prints into. */
  readonly childEnd: number;
  /** What is to be removed when the child is gone: nothing where an open file can go without a name. */
  readonly files: readonly string[];
  private readonly file: number;
  private readonly watcher: FSWatcher | undefined;
  private sink: OutputSink | undefined;
  private poll: NodeJS.Timeout | undefined;
  private buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private position = 0;
  private isReading = false;
  private isDue = false;
  private wasTold = false;
  private isWatched = false;
  private isClosed = false;
  private waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];

  constructor() {
    const directory = temporaryDirectory();
    const path = join(directory, "stdout");
    try {
      this.childEnd = openSync(path, "ax", 0o600);
      this.file = openSync(path, "r");
    } catch (error) {
      removeQuietly([directory]);
      throw error;
    }
    this.watcher = watchQuietly(path, () => this.sawChange());
    // Unix lets an open file go nameless, so not even a crash of everything leaves it behind.
    const isNameless = process.platform !== "win32";
    if (isNameless) removeQuietly([directory]);
    this.files = isNameless ? [] : [directory];
  }

  /** The child has its own end now. */
  closeChildEnd(): void {
    closeSync(this.childEnd);
  }

  follow(child: Child, sink: OutputSink): void {
    this.sink = sink;
    this.setPoll(POLL_MS);
    // A file does not tell who may still print into it; stderr does, and who has neither is gone.
    child.once("close", () => void this.settle().then(sink.onClose));
  }

  settle(): Promise<void> {
    const upTo = this.isClosed ? 0 : sizeOf(this.file);
    if (this.position >= upTo) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push({ upTo, resolve });
      this.look();
    });
  }

  ignore(): void {
    this.close();
  }

  unref(): void {}

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.poll);
    this.watcher?.close();
    if (!this.isReading) closeSync(this.file);
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  private setPoll(everyMs: number): void {
    clearInterval(this.poll);
    this.poll = setInterval(() => this.look(), everyMs).unref();
  }

  private sawChange(): void {
    this.wasTold = true;
    this.look();
  }

  private look(): void {
    if (this.isClosed || this.sink === undefined) return;
    if (this.isReading) this.isDue = true;
    else {
      this.isReading = true;
      read(this.file, this.buffer, 0, CHUNK_BYTES, this.position, (error, bytes) => this.sawRead(error === null ? bytes : 0));
    }
  }

  private sawRead(bytes: number): void {
    this.isReading = false;
    if (this.isClosed) return closeSync(this.file);
    if (bytes > 0) this.handOn(bytes);
    const isAtEnd = bytes === 0 && !this.isDue;
    this.noteWatching(bytes);
    this.waiting = this.waiting.filter(({ upTo, resolve }) => {
      const isThere = isAtEnd || this.position >= upTo;
      if (isThere) resolve();
      return !isThere;
    });
    this.isDue = false;
    if (!isAtEnd) this.look();
  }

  /** A small piece is copied, because kept as it is it would keep the whole buffer. */
  private handOn(bytes: number): void {
    const isLarge = bytes > CHUNK_BYTES / 2;
    const piece = this.buffer.subarray(0, bytes);
    if (isLarge) this.buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.position += bytes;
    this.sink?.onChunk(isLarge ? piece : Buffer.from(piece));
  }

  /** Not every file system tells of changes; where one does, looking often is waste. */
  private noteWatching(bytes: number): void {
    if (bytes > 0 && this.wasTold && !this.isWatched) {
      this.isWatched = true;
      if (!this.isClosed) this.setPoll(WATCHED_POLL_MS);
    }
    if (bytes === 0) this.wasTold = false;
  }
}

function sizeOf(file: number): number {
  try {
    return fstatSync(file).size;
  } catch {
    return 0;
  }
}

function watchQuietly(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
