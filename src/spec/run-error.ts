import type { Failure } from "./failure.ts";
import type { RunResult } from "./result.ts";

const marker = Symbol.for("coxswain.RunError");

/** The one public error: thrown by `result()` when a run failed; carries the failure and what the run still gave. */
export class RunError extends Error {
  readonly failure: Failure;
  readonly result: RunResult;

  constructor(failure: Failure, result: RunResult) {
    super(failure.message);
    this.name = "RunError";
    this.failure = failure;
    this.result = result;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for a RunError of this or any other loaded copy of the package. */
  static is(value: unknown): value is RunError {
    return typeof value === "object" && value !== null && Reflect.get(value, marker) === true;
  }
}
