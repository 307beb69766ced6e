import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCategory, type FailureCode } from "../spec/failure/failure-codes.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { redactFailure } from "./redact.ts";

/** The RunError in a value, wrapped or not, and its failure without secrets; undefined without one of a known failure code. */
export function readRunError(value: unknown): { readonly error: RunError; readonly failure: Failure } | undefined {
  try {
    const error = RunError.is(value) ? value : RunError.from(value);
    const failure = error === undefined ? undefined : readFailure(error);
    return error === undefined || failure === undefined ? undefined : { error, failure: redactFailure(failure) };
  } catch {
    // A getter threw, or the evidence is circular.
    return undefined;
  }
}

/** An error of another copy of the package may lack fields of this version; the tables fill them in. */
function readFailure({ failure, message: shown }: RunError): Failure | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...failure };
  const { code, category, message } = fields;
  if (!isCode(code)) return undefined;
  const words = [message, shown].find((text) => typeof text === "string" && text !== "");
  const base = createFailure(code, typeof words === "string" ? words : "An error without a message.");
  const known = isCategory(category) && category !== base.category ? { category, ...FAILURE_TRAITS[category] } : {};
  return Object.assign({ ...base, ...known }, pick(fields));
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  hint: isText,
  fixCommand: isText,
  fixFrom: isText,
  shouldRetry: isFlag,
  shouldFallback: isFlag,
  replyStatus: Number.isFinite,
  retryAfterMs: Number.isFinite,
  resetAt: (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
  partialText: isText,
  evidence: (value) => typeof value === "object" && value !== null,
};

function pick(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => Object.hasOwn(FIELDS, key) && FIELDS[key]?.(value)));
}

function isCode(value: unknown): value is FailureCode {
  return typeof value === "string" && Object.hasOwn(FAILURE_CODES, value);
}

function isCategory(value: unknown): value is FailureCategory {
  return typeof value === "string" && Object.hasOwn(FAILURE_TRAITS, value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}
