import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { FAILURE_TRAITS } from "../spec/failure/failure-codes.ts";
import { type ReadError, readError } from "./read-error.ts";
import { readRunError } from "./read-run-error.ts";
import { redact } from "./redact.ts";
import { secretValues } from "./secret-values.ts";
import type { Clock } from "./times/read-reset.ts";
import { isLimit, readTimes, toReturnTimes, withWait } from "./times/read-times.ts";
import { toKnownZone } from "./times/time-zones.ts";
import { weighWords } from "./words/weigh-words.ts";
import type { ErrorName } from "./words/weights.ts";

/** The clock and the time zone for times in an error text such as "7:04 PM". */
export type ClassifyOptions = {
  /** The current time by default. */
  readonly now?: Date;
  /** An IANA name; the time zone of the host by default. */
  readonly timeZone?: string;
};

/** The category, code, traits and hint of an error. Its message contains no secrets. */
export type ErrorClassification = Omit<Failure, "evidence" | "partialText" | "retryAfterMs"> & {
  /** The wait before a retry. Null when the error states no wait and is not a rate limit. */
  readonly retryAfterMs: number | null;
  /** The value as it was given. */
  readonly originalError: unknown;
};

/** Classifies an error of any shape, from any CLI, library or service. Never throws. */
export function classifyError(error: unknown, options?: ClassifyOptions): ErrorClassification {
  const { retryAfterMs, evidence, partialText, ...named } = withWait(toFailure(error, options));
  return { ...named, retryAfterMs: retryAfterMs ?? null, originalError: error };
}

/** The failure of a RunError, or a failure made from the message and fields of any other error. */
export function toFailure(error: unknown, options?: ClassifyOptions): Failure {
  const known = readRunError(error);
  if (known !== undefined) return known.failure;
  const read = readError(error);
  const clock = readClock(options);
  const asLimit = readTimes(read.text, clock, read);
  const { category, code } = nameError(read, clock, toReturnTimes(asLimit, "unknown", clock.now).retryAfterMs);
  const times = isLimit(category) ? asLimit : readTimes(read.text, clock, { ...read, isLimit: false });
  const failure = createFailure(
    code,
    redact(read.message || wordsFor(read), secretValues(process.env)),
    toReturnTimes(times, category, clock.now),
  );
  return failure.category === category ? failure : { ...failure, category, ...FAILURE_TRAITS[category] };
}

const UNNAMED: ErrorName = { category: "unknown", code: "unclassified" };

function nameError({ name, text, status }: ReadError, clock: Clock, waitMs: number | undefined): ErrorName {
  if (name === "AbortError") return { category: "cancelled", code: "interrupted" };
  if (name === "TimeoutError") return { category: "timeout", code: "upstream-timeout" };
  const signs = { text, clock, ...(status !== undefined && { status }), ...(waitMs !== undefined && { waitMs }) };
  return weighWords(signs) ?? UNNAMED;
}

function wordsFor({ text, status, name }: ReadError): string {
  if (text !== "") return text;
  return status === undefined ? (name ?? "An error without a message.") : `HTTP status ${status}`;
}

/** Close to the largest value of a Date, so that later times can still be computed. */
const LAST_INSTANT = 8e15;

/** Invalid values are ignored, as if they were not given. */
function readClock(options: unknown): Clock {
  const now = read(() => Reflect.apply(Date.prototype.getTime, Reflect.get(Object(options), "now"), []));
  const timeZone = read(() => Reflect.get(Object(options), "timeZone"));
  const isDate = typeof now === "number" && Math.abs(now) <= LAST_INSTANT;
  return { now: isDate ? now : Date.now(), timeZone: toKnownZone(timeZone) };
}

function read(value: () => unknown): unknown {
  try {
    return value();
  } catch {
    return undefined;
  }
}
