import type { JsonValue } from "../json.ts";
import type { Fix } from "../provider/provider-facts.ts";
import type { FailureCategory, FailureCode, FailureTraits } from "./failure-codes.ts";

/** The evidence of a failure; secrets are already removed. */
export type FailureEvidence = {
  readonly exitCode?: number;
  readonly signal?: string;
  /** At most the last 8 kB of stderr. */
  readonly stderrTail?: string;
  /** The relevant part of the CLI's own error event. */
  readonly event?: JsonValue;
  /** The HTTP status of the upstream service, if the CLI reported it. */
  readonly upstreamStatus?: number;
  /** The errno of a failed spawn, such as ENOENT. */
  readonly errno?: string;
};

/** Why a run failed and what can be done about it. */
export type Failure = FailureTraits &
  Fix & {
    readonly category: FailureCategory;
    readonly code: FailureCode;
    /** One line: what happened. */
    readonly message: string;
    /** One line: what the user should do. */
    readonly hint: string;
    /** The wait before a retry. The failure of a run that is a rate limit always has one. */
    readonly retryAfterMs?: number;
    /** True if no wait was stated: `retryAfterMs` is the default for rate limits, 1,000. */
    readonly retryAfterIsDefault?: true;
    /** ISO time after which a retry makes sense, if one was stated; for a used-up quota, its reset time. */
    readonly resetAt?: string;
    /** The text of the answer before the run failed. */
    readonly partialText?: string;
    readonly evidence: FailureEvidence;
  };
