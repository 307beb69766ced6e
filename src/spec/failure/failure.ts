import type { JsonValue } from "../json.ts";
import type { Fix } from "../provider/provider-facts.ts";
import {
  FAILURE_CODES,
  FAILURE_TRAITS,
  type FailureCategory,
  type FailureCode,
  type FailureCodeInfo,
  type FailureTraits,
} from "./failure-codes.ts";

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

export type FailureDetails = Partial<Omit<Failure, "category" | "code" | "message" | "evidence">> & {
  readonly evidence?: FailureEvidence;
};

/** Creates a complete failure from a code and a message; category, traits and hint come from the tables. */
export function createFailure(code: FailureCode, message: string, details: FailureDetails = {}): Failure {
  const info: FailureCodeInfo = FAILURE_CODES[code];
  return {
    category: info.category,
    code,
    message: toOneLine(message) || `There is no message about this failure (${code}).`,
    hint: info.hint,
    ...FAILURE_TRAITS[info.category],
    ...info.traits,
    ...details,
    evidence: details.evidence ?? {},
  };
}

function toOneLine(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > 600 ? `${line.slice(0, 599)}…` : line;
}

/** The message and the hint of a failure in one line, as separate sentences: many messages of CLIs end without a period. */
export function failureSentences({ message, hint }: Pick<Failure, "message" | "hint">): string {
  if (hint === "") return message;
  return `${message}${/[.!?…:]$/.test(message) ? "" : "."} ${hint}`;
}

/** The message of a thrown value, which need not be an Error. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a thrown system error, such as ENOENT; undefined for every other value. */
export function thrownCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** A time as people set and read it: `300 ms`, `1.234 s`, `600 s`. */
export function toSeconds(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  return whole < 1000 ? `${whole} ms` : `${whole / 1000} s`;
}
