/** The stored parts of stderr. */
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

  /** Adds the next bytes. */
  push(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.bytes;
    if (room > 0) this.head.push(Buffer.from(chunk.subarray(0, room)));
    this.bytes += chunk.byteLength;
    this.tail.push(chunk);
  }

  /** Returns the stored parts. */
  read(): StderrEnds {
    const stderrTail = this.tail.text();
    return this.bytes <= TAIL_BYTES ? { stderrTail } : { stderrTail, stderrHead: Buffer.concat(this.head).toString("utf8") };
  }
}

/** Stores the last bytes of a stream. */
export class Tail {
  private readonly limit: number;
  private chunks: Uint8Array[] = [];
  private bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds the next bytes. */
  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.bytes += chunk.byteLength;
    if (this.bytes > this.limit * 16) this.trim();
  }

  /** Returns the stored bytes as text. */
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
