import type { RunResult } from "../result.ts";
import type { Failure } from "./failure.ts";

const marker = Symbol.for("coxswain.RunError");

/** The error that `result()` throws when a run failed; it has the failure and the partial result. */
export class RunError extends Error {
  readonly failure: Failure;
  declare readonly result: RunResult;

  constructor(failure: Failure, result: RunResult) {
    super(failure.message);
    this.name = "RunError";
    this.failure = failure;
    // The result repeats the failure; an uncaught error would print everything twice.
    Object.defineProperty(this, "result", { value: result });
    Object.defineProperty(this, marker, { value: true });
  }

  /** The RunError among an error and its causes, for errors that other libraries have wrapped; undefined when there is none. */
  static from(value: unknown): RunError | undefined {
    for (let error = value, depth = 0; error instanceof Error && depth < 16; error = error.cause, depth += 1)
      if (RunError.is(error)) return error;
    return undefined;
  }

  /** True for a RunError of this or any other loaded copy of the package. */
  static is(value: unknown): value is RunError {
    return typeof value === "object" && value !== null && Reflect.get(value, marker) === true;
  }
}

/** The error of a call that is refused before a run begins, so that there is no result. */
export function refusalOf(failure: Failure): RunError {
  return new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
}
