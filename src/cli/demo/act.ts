import type { RunEvent } from "../../spec/events.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";

/** One thing that the demo shows: a run, what it is to look like, and the command that does the same. */
export type Act = {
  readonly title: string;
  /** Words of the command line after `cox`. */
  readonly command: readonly string[];
  /** A file that the command line names, and what is in it. */
  readonly file?: { readonly name: string; readonly content: string };
  /** Who is asked, in order. */
  readonly targets: readonly Target[];
  readonly request: RunRequest;
  /** Cancels the run once this many pieces of text have come. */
  readonly cancelAfterPieces?: number;
  readonly judge: (played: Played) => Verdict;
};

/** What happened when an act was played. */
export type Played = {
  readonly runId: string;
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  /** Pieces of text that came. */
  readonly pieces: number;
  readonly tookMs: number;
};

/** Whether the act went as it is to go, and one line on what was seen. */
export type Verdict = { readonly isRight: boolean; readonly line: string };
