import { CANCELLED, failedEnd } from "../../run/part.ts";
import { RunWriter } from "../../run/run-writer.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { RunResult } from "../../spec/result.ts";
import type { Cancellation } from "../cancellation.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import type { AskOutput } from "../options/ask-options.ts";
import { printFailure } from "../terminal/failure-lines.ts";
import { printJson, processScreen } from "../terminal/screen.ts";

export type AboutRun = Pick<RunResult, "provider" | "model">;

/** Prints the failure of a run that did not start, in the form of the output; returns its exit code. */
export function refuse(failure: Failure, output: AskOutput, about: AboutRun): number {
  const screen = processScreen();
  const print = (value: object): void => printJson(screen, value);
  const result: RunResult = { text: "", toolCalls: [], permissionDenials: [], ...about, warnings: [], finish: "error", failure };
  if (output === "json") print(result);
  else if (output === "stream-json") printEvents(failure, about, print);
  else printFailure(screen, failure);
  return exitCodeOf(failure);
}

function printEvents(failure: Failure, about: AboutRun, print: (event: object) => void): void {
  const writer = new RunWriter(
    `${process.pid}.0`,
    () => performance.now(),
    (batch) => batch.forEach(print),
  );
  writer.write({ type: "run-start", runId: writer.runId, ...about });
  writer.write(failedEnd(failure));
  writer.flush();
}

/** Says that the command was cancelled before it had anything to print; returns its exit code. */
export function leave(cancellation: Cancellation, message: string = CANCELLED.message): number {
  if (!cancellation.readerLeft()) printFailure(processScreen(), { ...CANCELLED, message });
  return cancellation.exitCode() ?? EXIT.interrupted;
}

export function exitCodeAfter(failure: Failure | undefined, cancellation: Cancellation): number {
  if (failure === undefined) return EXIT.answered;
  if (failure.category === "cancelled") return cancellation.exitCode() ?? EXIT.interrupted;
  return exitCodeOf(failure);
}
