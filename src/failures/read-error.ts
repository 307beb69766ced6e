import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCategory, type FailureCode } from "../spec/failure/failure-codes.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { defined } from "../spec/json.ts";
import { redactFailure } from "./redact.ts";

export type ReadError = {
  /** The message for people; empty when the error has no text. */
  readonly message: string;
  /** The message and the text of its fields, for pattern matching. */
  readonly text: string;
  readonly name?: string;
  readonly status?: number;
  /** The first field of each kind that exists. */
  readonly wait?: { readonly value: string | number; readonly unitMs: number };
  readonly reset?: string | number;
};

const LONGEST_MESSAGE = 4096;
const LONGEST_WORD = 200;

/** Never throws; skips fields whose getters throw. */
export function readError(value: unknown): ReadError {
  if (typeof value === "string") return { message: cut(value), text: cut(value) };
  if (!isSource(value)) return { message: "", text: "" };
  const inner = get(value, "error");
  const sources = isSource(inner) ? [value, inner] : [value];
  const message = cut(
    [get(value, "message"), inner, ...sources.slice(1).map((source) => get(source, "message"))].find(isWords) ?? "",
    value,
  );
  const words = sources.flatMap((source) => ["code", "type", "status"].map((key) => get(source, key))).filter(isWords);
  const name = get(value, "name");
  return defined({
    message,
    text: [message, ...words.map(toWord)].filter((part) => part !== "").join("\n"),
    name: isWords(name) ? name.slice(0, LONGEST_WORD) : undefined,
    status: readStatus(sources),
    wait: readWaitHint(sources),
    reset: readResetHint(sources),
  });
}

/** The beginning of the text, without the command line (which may contain the prompt) that Node puts in front of it. */
function cut(words: string, owner?: object): string {
  const begin = words.slice(0, LONGEST_MESSAGE).search(/\bCommand failed: /);
  if (begin < 0) return words.slice(0, LONGEST_MESSAGE);
  const command = owner === undefined ? undefined : get(owner, "cmd");
  const from = begin + "Command failed: ".length;
  const whole = isWords(command) && words.startsWith(command, from);
  const end = words.indexOf("\n", whole ? from + command.length : from);
  const rest = end < 0 ? "" : words.slice(end + 1);
  return (words.slice(0, begin) + rest).slice(0, LONGEST_MESSAGE);
}

function toWord(word: string): string {
  return /^[45]\d\d$/.test(word) ? `status ${word}` : word.slice(0, LONGEST_WORD);
}

function readStatus(sources: readonly object[]): number | undefined {
  const keys = ["status", "statusCode", "code", "httpStatus", "api_error_status"];
  return sources
    .flatMap((source) => keys.map((key) => get(source, key)))
    .filter((status) => typeof status === "number")
    .find((status) => Number.isInteger(status) && status >= 400 && status <= 599);
}

const WAIT_FIELDS: readonly (readonly [key: string, unitMs: number])[] = [
  ...["retryAfterMs", "retry_after_ms", "retry-after-ms", "retry_delay_ms"].map((key) => [key, 1] as const),
  ...["retryAfter", "retry_after", "retry-after", "retryDelay"].map((key) => [key, 1000] as const),
];

function readWaitHint(sources: readonly object[]): ReadError["wait"] {
  for (const source of withHeaders(sources)) {
    for (const [key, unitMs] of WAIT_FIELDS) {
      const value = getField(source, key);
      if (isAmount(value)) return { value: typeof value === "string" ? value.slice(0, LONGEST_WORD) : value, unitMs };
    }
  }
  return undefined;
}

function readResetHint(sources: readonly object[]): string | number | undefined {
  const keys = ["resetAt", "resets_at", "resetsAt", "reset_at"];
  const value = sources.flatMap((source) => keys.map((key) => get(source, key))).find(isAmount);
  return typeof value === "string" ? value.slice(0, LONGEST_WORD) : value;
}

/** Adds the headers of each source after it; Google puts its wait into a list of details. */
function withHeaders(sources: readonly object[]): readonly object[] {
  return sources.flatMap((source) => {
    const details = get(source, "details");
    const listed = isSource(details) ? Array.from({ length: LISTED }, (_, index) => get(details, String(index))) : [];
    return [source, get(source, "headers"), get(source, "responseHeaders"), ...listed].filter(isSource);
  });
}

const LISTED = 8;

/** A field by its name. Header names are case-insensitive, and a `Headers` object is read by its `get` method. */
function getField(source: object, key: string): unknown {
  const own = get(source, key);
  if (own !== undefined || !key.includes("-")) return own;
  const read = get(source, "get");
  try {
    if (typeof read === "function") return Reflect.apply(read, source, [key]) ?? undefined;
    const name = Object.keys(source).find((candidate) => candidate.toLowerCase() === key);
    return name === undefined ? undefined : get(source, name);
  } catch {
    return undefined;
  }
}

function get(source: object, key: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return undefined;
  }
}

function isSource(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isWords(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isAmount(value: unknown): value is string | number {
  return isWords(value) || (typeof value === "number" && Number.isFinite(value));
}

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
