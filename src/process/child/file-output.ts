import { closeSync, type FSWatcher, fstatSync, openSync, read, watch } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory, writeTempFiles } from "../../files/host-directory.ts";
import { removeQuietly } from "../../files/leftovers.ts";
import { thrownCode } from "../../spec/failure/failure.ts";
import type { Output, OutputSink } from "./output.ts";
import type { Child } from "./spawn-child.ts";

const CHUNK_BYTES = 65_536;
/** How often the file is polled before the first event of `fs.watch`. */
const POLL_MS = 10;
/** How often the file is polled after that event. Not all file systems support `fs.watch`. */
const WATCHED_POLL_MS = 250;

/**
 * Output that goes into a private file and is read while the file grows. A program that exits before its pipe is drained loses
 * the end of its output; with a file nothing is lost.
 */
export class FileOutput implements Output {
  /** The file descriptor for the child's stdout. */
  readonly childEnd: number;
  /** Files to remove after the child has exited; none on Unix, where the file has no name. */
  readonly files: readonly string[];
  private readonly file: number;
  private readonly watcher: FSWatcher | undefined;
  private sink: OutputSink | undefined;
  private poll: NodeJS.Timeout | undefined;
  private buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private position = 0;
  private isReading = false;
  private isDue = false;
  private sawWatchEvent = false;
  private isWatched = false;
  private isClosed = false;
  private waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];

  constructor() {
    const directory = temporaryDirectory();
    const path = join(directory, "stdout");
    try {
      this.childEnd = openSync(path, "ax", 0o600);
      this.file = openForReading(path, this.childEnd);
    } catch (error) {
      removeQuietly([directory]);
      throw error;
    }
    this.watcher = watchQuietly(path, () => this.sawChange());
    // Unix keeps an open file after its name is removed, so not even a crash leaves the file behind.
    const isNameless = process.platform !== "win32";
    if (isNameless) removeQuietly([directory]);
    this.files = isNameless ? [] : [directory];
  }

  /** Closes the host's copy of the child's file descriptor; call it after the start. */
  closeChildEnd(): void {
    closeSync(this.childEnd);
  }

  follow(child: Child, sink: OutputSink): void {
    this.sink = sink;
    this.setPoll(POLL_MS);
    // A file has no EOF while processes still write to it. The stderr pipe has one: `close` comes after its last writer.
    child.once("close", () => void this.settle().then(sink.onClose, sink.onClose));
  }

  settle(): Promise<void> {
    const upTo = this.isClosed ? 0 : sizeOf(this.file);
    if (this.position >= upTo) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push({ upTo, resolve });
      this.readMore();
    });
  }

  ignore(): void {
    this.close();
  }

  /** The file still has its space now, so a disk that it filled is still full. */
  isCut(): boolean {
    return isDiskFull();
  }

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
    this.poll = setInterval(() => this.readMore(), everyMs).unref();
  }

  private sawChange(): void {
    this.sawWatchEvent = true;
    this.readMore();
  }

  private readMore(): void {
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
    if (bytes > 0) this.emitChunk(bytes);
    const isAtEnd = bytes === 0 && !this.isDue;
    this.noteWatching(bytes);
    this.waiting = this.waiting.filter(({ upTo, resolve }) => {
      const isThere = isAtEnd || this.position >= upTo;
      if (isThere) resolve();
      return !isThere;
    });
    this.isDue = false;
    if (!isAtEnd) this.readMore();
  }

  /** A small chunk is copied, because a view of it would keep the whole buffer in memory. */
  private emitChunk(bytes: number): void {
    const isLarge = bytes > CHUNK_BYTES / 2;
    const piece = this.buffer.subarray(0, bytes);
    if (isLarge) this.buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.position += bytes;
    this.sink?.onChunk(isLarge ? piece : Buffer.from(piece));
  }

  /** Polls less often after the first watch event; not every file system sends these events. */
  private noteWatching(bytes: number): void {
    if (bytes > 0 && this.sawWatchEvent && !this.isWatched) {
      this.isWatched = true;
      if (!this.isClosed) this.setPoll(WATCHED_POLL_MS);
    }
    if (bytes === 0) this.sawWatchEvent = false;
  }
}

function openForReading(path: string, childEnd: number): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    closeSync(childEnd);
    throw error;
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

/** A file system gives space in blocks, so a block of this size shows whether a program could print one more byte. */
const PROBE_BYTES = 4096;

/** True if nothing can be written to the temporary directory, because its disk or the user's quota is full. */
function isDiskFull(): boolean {
  const made: string[] = [];
  try {
    made.push(temporaryDirectory());
    writeTempFiles(made[0] ?? "", [{ name: "probe", content: "x".repeat(PROBE_BYTES) }]);
    return false;
  } catch (error) {
    const code = thrownCode(error);
    return code === "ENOSPC" || code === "EDQUOT";
  } finally {
    removeQuietly(made);
  }
}
