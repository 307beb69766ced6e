import type { Child } from "./spawn-child.ts";

/** Who is told what a child prints. */
export type OutputSink = {
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Nothing more will be printed. */
  readonly onClose: () => void;
};

/** What a child prints on stdout, wherever it goes. */
export type Output = {
  /** Hands on what the child prints, as it comes. */
  follow(child: Child, sink: OutputSink): void;
  /** Resolves when all that has been printed by now was handed on. */
  settle(): Promise<void>;
  /** Nobody wants the rest; the child may go on printing. */
  ignore(): void;
  /** From now on it does not keep the host alive. */
  unref(): void;
  /** Lets go of it. */
  close(): void;
};

/** Timers run before pending reads: only when a whole turn of the event loop brought nothing more is a pipe empty. */
export function settlePipes(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Output that comes by a pipe, which is always drained: a child must never wait for its reader. */
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

  unref(): void {
    if (this.pipe !== null && "unref" in this.pipe && typeof this.pipe.unref === "function") this.pipe.unref();
  }

  close(): void {
    this.pipe?.destroy();
  }
}
