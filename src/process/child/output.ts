import type { Child } from "./spawn-child.ts";

/** The callbacks for the stdout of a child. */
export type OutputSink = {
  readonly onChunk: (chunk: Uint8Array) => void;
  /** The child will print nothing more. */
  readonly onClose: () => void;
};

/** The stdout of a child, through a pipe or a file. */
export type Output = {
  /** Passes each chunk to the sink as it arrives. */
  follow(child: Child, sink: OutputSink): void;
  /** Resolves when everything printed so far has been passed to the sink. */
  settle(): Promise<void>;
  /** After the end: true if the child could not print everything, because a disk is full. */
  isCut(): boolean;
  /** The rest of the output is not needed; the child may go on printing. */
  ignore(): void;
  /** The output no longer keeps the host alive. */
  unref(): void;
  /** The output keeps the host alive again. */
  ref(): void;
  /** Closes the pipe or file. */
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
export class PipeOutput implements Output {
  private pipe: Child["stdout"] = null;

  follow(child: Child, { onChunk, onClose }: OutputSink): void {
    this.pipe = child.stdout;
    this.pipe
      ?.on("data", onChunk)
      .on("error", () => {})
      .on("close", onClose);
  }

  settle(): Promise<void> {
    return settlePipes();
  }

  ignore(): void {}

  isCut(): boolean {
    return false;
  }

  unref(): void {
    if (this.pipe !== null && "unref" in this.pipe && typeof this.pipe.unref === "function") this.pipe.unref();
  }

  ref(): void {
    if (this.pipe !== null && "ref" in this.pipe && typeof this.pipe.ref === "function") this.pipe.ref();
  }

  close(): void {
    this.pipe?.destroy();
  }
}
