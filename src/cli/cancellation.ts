import { EXIT } from "./exit-codes.ts";

/** What can end a command from outside, as one abort signal. */
export type Cancellation = {
  readonly signal: AbortSignal;
  /** The exit code that the reason calls for, or undefined while nothing was cancelled. */
  exitCode(): number | undefined;
  /** Gives the signals back to the process. */
  dispose(): void;
};

/** Listens for Ctrl-C, SIGTERM and a reader that went away; a second Ctrl-C leaves at once. */
export function listenForCancellation(): Cancellation {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const cancel = (code: number): void => {
    exitCode ??= code;
    controller.abort();
  };
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    cancel(EXIT.interrupted);
  };
  const onTerminate = (): void => cancel(EXIT.terminated);
  // The reader of a pipe has had enough: that is no failure, but nobody is left to run for.
  const onOutputError = (): void => cancel(EXIT.answered);
  const ignore = (): void => undefined;
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.stdout.on("error", onOutputError);
  process.stderr.on("error", ignore);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}
