import { EXIT } from "./exit-codes.ts";

/** What can end a command from outside, as one abort signal. */
export type Cancellation = {
  readonly signal: AbortSignal;
  /** The exit code that the reason calls for, or undefined while nothing was cancelled. */
  exitCode(): number | undefined;
  /** True when stdout takes nothing more, because its reader went away or its disk is full. */
  readerLeft(): boolean;
  /** Gives the signals back to the process. */
  dispose(): void;
};

/** Listens for Ctrl-C, SIGTERM and a reader that goes away; a second Ctrl-C leaves at once. */
export function listenForCancellation(): Cancellation {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let readerLeft = false;
  const cancel = (code: number): void => {
    exitCode ??= code;
    controller.abort();
  };
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    cancel(EXIT.interrupted);
  };
  const onTerminate = (): void => cancel(EXIT.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  onReaderLeaving((isFailure) => {
    readerLeft = true;
    cancel(isFailure ? EXIT.failed : EXIT.answered);
  });
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    readerLeft: () => readerLeft,
    dispose: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}

/** Calls back when stdout takes nothing more; that is a failure unless its reader went away, as with `| head`. */
export function onReaderLeaving(act: (isFailure: boolean) => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => act(error.code !== "EPIPE"));
}
