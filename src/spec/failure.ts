import type { FailureCategory, FailureCode, FailureTraits } from "./failure-codes.ts";
import type { JsonValue } from "./json.ts";

/** What was seen when a run failed; secrets are removed before it gets here. */
export type FailureEvidence = {
  readonly exitCode?: number;
  readonly signal?: string;
  /** At most the last 8 kB of stderr. */
  readonly stderrTail?: string;
  /** The CLI's own error event, as far as it matters. */
  readonly event?: JsonValue;
  /** The HTTP status with which the service answered, where the CLI told it. */
  readonly upstreamStatus?: number;
  /** The errno of a failed spawn, such as ENOENT. */
  readonly errno?: string;
};

/** Why a run failed and what can be done about it. */
export type Failure = FailureTraits & {
  readonly category: FailureCategory;
  readonly code: FailureCode;
  /** One line: what happened. */
  readonly message: string;
  /** One line: what the person should do. */
  readonly hint: string;
  /** A command that fixes it, where one exists. */
  readonly fixCommand?: string;
  readonly retryAfterMs?: number;
  /** ISO time from which it is worth trying again, where one was stated; for a spent quota, when it opens again. */
  readonly resetAt?: string;
  /** What had been said of the answer before the run failed. */
  readonly partialText?: string;
  readonly evidence: FailureEvidence;
};
