import { EXIT } from "./exit-codes.ts";
import { processScreen, type Screen } from "./terminal/screen.ts";

export type Cancellation = {
  readonly signal: AbortSignal;
  /** The exit code for the reason, or undefined while nothing was cancelled. */
  exitCode(): number | undefined;
  /** True when stdout cannot be written any more: its reader closed the pipe, or the disk is full. */
  readerLeft(): boolean;
  dispose(): void;
};

/** Listens for Ctrl-C, SIGTERM and a closed stdout; a second Ctrl-C exits at once. */
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

/** The screen of a command that only prints: it ends when its reader has left. */
export function openPrinter(): Screen {
  onReaderLeaving(() => process.exit(EXIT.answered));
  return processScreen();
}

/** Calls back when stdout cannot be written any more: a failure unless its reader closed the pipe (EPIPE, as with `| head`). */
export function onReaderLeaving(act: (isFailure: boolean) => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => act(error.code !== "EPIPE"));
}
