import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";

/** One of several runs that begin in the same instant, in this order, and keep their place until a step ends them. */
export type BurstCall = {
  readonly id: string;
  readonly provider: string;
  readonly maxWaitMs?: number;
  /** `timeouts.totalMs`; a step must end a run with a place before. */
  readonly totalMs?: number;
};

/** What happens next: a run with a place ends, a waiting run is cancelled, or time passes. */
export type BurstStep = { readonly ended: string } | { readonly cancelled: string } | { readonly passedMs: number };

/** A run that ends without a place. */
export type BurstRefusal = {
  readonly id: string;
  readonly code: FailureCode;
  /** The length of the queue that the message names, when it was full. */
  readonly queueLength?: number;
};

/** The expected events of one moment: the beginning, or a step. */
export type BurstMoment = {
  readonly started: readonly string[];
  readonly refused: readonly BurstRefusal[];
  /** The runs that have a new position at this moment; it is reported at the beginning, and later by the clock. */
  readonly moved: readonly { readonly id: string; readonly position: number }[];
};

/** The prediction for a burst. */
export type BurstPrediction = {
  /** The beginning, then one for each step. */
  readonly moments: readonly BurstMoment[];
  /** All positions of each run, in order: it reports the first, and any of the others; a run that never waits is absent. */
  readonly positions: Readonly<Record<string, readonly number[]>>;
};
