import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import type { BreakerState } from "./breaker.ts";
import type { Memory } from "./model-client.ts";
import type { Range } from "./range.ts";

/** The warnings of the policies. */
type PolicyWarning =
  | "session-changed"
  | "setting-ignored"
  | "cost-unknown"
  | "schema-by-text"
  | "object-corrected"
  | "budget-used-up";

/** The events of the policies; all others are left out, and so are their messages and ids. */
export type SkeletonEvent =
  | { readonly type: "attempt-start"; readonly provider: string; readonly model?: string; readonly attempt: number }
  | { readonly type: "warning"; readonly code: PolicyWarning }
  | { readonly type: "retry"; readonly attempt: number; readonly code: FailureCode; readonly delayMs: Range }
  | { readonly type: "fallback"; readonly from: string; readonly to: string; readonly code: FailureCode }
  | { readonly type: "text-reset" };

/** The fields of a failure that docs/policies.md decides. */
export type FailureFacts = {
  readonly code: FailureCode;
  readonly retryAfterMs?: Range;
  readonly resetAt?: number;
  /** The text of the failure is about one model; no field of a real failure. */
  readonly isAboutModel?: boolean;
};

/** How a run ends. */
export type Outcome = { readonly answer: true } | { readonly answer: false; readonly failure: FailureFacts };

/** A quota that is known to be spent after the run. */
export type RememberedQuota = { readonly key: string; readonly where: "memory" | "file"; readonly until: Range };

/** The prediction of a run. */
export type DecidedPrediction = {
  readonly undecided?: never;
  readonly events: readonly SkeletonEvent[];
  readonly outcome: Outcome;
  /** Processes started, by provider; a provider that had none is absent. */
  readonly processes: Readonly<Record<string, number>>;
  readonly elapsedMs: Range;
  /** Of this run, all attempts together, as far as it was reported. */
  readonly usd: number;
  readonly tokens: number;
  readonly quotas: readonly RememberedQuota[];
  readonly breakers: Readonly<Record<string, BreakerState>>;
  readonly after: { readonly memory: Memory; readonly quotaFiles: ReadonlyMap<string, number> };
};

/** The prediction of a run, or the question that only the jitter or the speed of the machine decides. */
export type Prediction = DecidedPrediction | { readonly undecided: string };

/** Whether a call must not be drawn, because its outcome is undecided. */
export function isUndecided(prediction: Prediction): prediction is { readonly undecided: string } {
  return prediction.undecided !== undefined;
}
