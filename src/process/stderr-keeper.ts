import { Tail } from "./tail.ts";

/** What is kept of stderr. */
export type StderrEnds = {
  /** The end. */
  readonly stderrTail: string;
  /** The beginning, where the end does not reach back to it: some CLIs complain first and print pages of help then. */
  readonly stderrHead?: string;
};

const TAIL_BYTES = 8192;
const HEAD_BYTES = 4096;

/** Keeps the beginning and the end of a stderr, however long it is. */
export class StderrKeeper {
  private readonly tail = new Tail(TAIL_BYTES);
  private head: Uint8Array[] = [];
  private bytes = 0;

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.bytes;
    if (room > 0) this.head.push(Buffer.from(chunk.subarray(0, room)));
    this.bytes += chunk.byteLength;
    this.tail.push(chunk);
  }

  /** What is kept so far. */
  read(): StderrEnds {
    const stderrTail = this.tail.text();
    return this.bytes <= TAIL_BYTES ? { stderrTail } : { stderrTail, stderrHead: Buffer.concat(this.head).toString("utf8") };
  }
}
