import type { RunEvent } from "../../spec/events.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";

/** One step of the demo: a run, its expected result, and the command that does the same. */
export type Act = {
  readonly title: string;
  /** The arguments of `cox`. */
  readonly command: readonly string[];
  /** A file that the command names, and its content. */
  readonly file?: { readonly name: string; readonly content: string };
  /** The targets in order. */
  readonly targets: readonly Target[];
  readonly request: RunRequest;
  /** Cancels the run after this many pieces of text. */
  readonly cancelAfterPieces?: number;
  readonly judge: (played: Played) => Verdict;
};

/** The result of a played act. */
export type Played = {
  readonly runId: string;
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  /** The number of text pieces. */
  readonly pieces: number;
  readonly tookMs: number;
};

/** Whether the act had the expected result, and one line about it. */
export type Verdict = { readonly isRight: boolean; readonly line: string };
