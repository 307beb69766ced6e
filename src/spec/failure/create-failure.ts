import type { Failure, FailureEvidence } from "./failure.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode, type FailureCodeInfo } from "./failure-codes.ts";
import { RunError } from "./run-error.ts";

/** The optional fields of `createFailure`. */
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

/** The error of a call that is refused before a run begins, so that there is no result. */
export function refusalOf(failure: Failure): RunError {
  return new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
}
