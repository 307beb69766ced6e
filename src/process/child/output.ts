import type { Child } from "./spawn-child.ts";

export type OutputSink = {
  readonly onChunk: (chunk: Uint8Array) => void;
  /** The child will print nothing more. */
  readonly onClose: () => void;
};

export type Output = {
  follow(child: Child, sink: OutputSink): void;
  /** Resolves when everything printed so far has been passed to the sink. */
  settle(): Promise<void>;
  /** After the end: true if the child could not print everything, because a disk is full. */
  isCut(): boolean;
  /** The rest of the output is not needed; the child may go on printing. */
  ignore(): void;
  close(): void;
};

/**
 * Resolves after one full iteration of the event loop. Timers run before pending reads, so a pipe may still have unread data in a
 * timer.
 */
export function settlePipes(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Output through a pipe. The pipe is always drained, so that the child never blocks on a write. */
export function pipeOutput(): Output {
  let pipe: Child["stdout"] = null;
  return {
    follow: (child, { onChunk, onClose }) => {
      pipe = child.stdout;
      pipe
        ?.on("data", onChunk)
        .on("error", () => {})
        .on("close", onClose);
    },
    settle: settlePipes,
    ignore: () => {},
    isCut: () => false,
    close: () => void pipe?.destroy(),
  };
}

export type StderrEnds = {
  /** The last 8 kB. */
  readonly stderrTail: string;
  /** The first 4 kB, if stderr is longer than the tail: some CLIs print the error line first and pages of help after it. */
  readonly stderrHead?: string;
};

const TAIL_BYTES = 8192;
const HEAD_BYTES = 4096;

/** Stores the beginning and the end of stderr, with a limit on memory. */
export class StderrKeeper {
  private readonly tail = new Tail(TAIL_BYTES);
  private head: Uint8Array[] = [];
  private bytes = 0;

  push(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.bytes;
    if (room > 0) this.head.push(Buffer.from(chunk.subarray(0, room)));
    this.bytes += chunk.byteLength;
    this.tail.push(chunk);
  }

  read(): StderrEnds {
    const stderrTail = this.tail.text();
    return this.bytes <= TAIL_BYTES ? { stderrTail } : { stderrTail, stderrHead: Buffer.concat(this.head).toString("utf8") };
  }
}

export class Tail {
  private readonly limit: number;
  private chunks: Uint8Array[] = [];
  private bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.bytes += chunk.byteLength;
    if (this.bytes > this.limit * 16) this.trim();
  }

  text(): string {
    if (this.bytes === 0) return "";
    this.trim();
    return Buffer.concat(this.chunks).toString("utf8");
  }

  private trim(): void {
    const kept = Buffer.concat(this.chunks).subarray(-this.limit);
    this.chunks = [Buffer.from(kept)];
    this.bytes = kept.byteLength;
  }
}
