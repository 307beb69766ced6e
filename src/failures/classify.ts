import type { StderrEnds } from "../process/child/output.ts";
import { stripTerminalCodes } from "../process/child/strip-terminal-codes.ts";
import { createFailure, type Failure, type FailureDetails, type FailureEvidence } from "../spec/failure/failure.ts";
import { FAILURE_TRAITS, type FailureCategory, type FailureCode } from "../spec/failure/failure-codes.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { type Fix, fixBy } from "../spec/provider/provider-facts.ts";
import type { ExitReport, Fault } from "../spec/wire/wire.ts";
import { type ReadError, readError, readRunError } from "./read-error.ts";
import { redact, redactFailure, removeValues } from "./redact.ts";
import { type RunSecrets, secretValues } from "./secrets.ts";
import { firstWords, readMessages } from "./stderr-messages.ts";
import { type Clock, toKnownZone } from "./times/read-reset.ts";
import { isLimit, readTimes, type TimeSigns, toReturnTimes, withWait } from "./times/read-times.ts";
import { readWaitField } from "./times/read-wait.ts";
import { hasFailed, type WeighedFault, weighFault, weighStderr } from "./weigh-fault.ts";
import { LONGEST_TEXT, weighWords } from "./words/weigh-words.ts";
import { type ErrorName, heaviest } from "./words/weights.ts";
import { withWordedHint } from "./words/worded-hints.ts";

/*
 * What happens to a failure. Its words come from an error of any shape (read-error.ts), from a fault that a CLI reported, or from the stderr of
 * a process (stderr-messages.ts); the secrets of the run are removed before lengths are limited. weigh-fault.ts and words/ weigh the evidence, and
 * the heaviest names the failure. times/ reads when it is over. redact.ts removes what looks like a secret from all that is shown.
 */

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
  const message = redact(read.message || wordsFor(read), secretValues(process.env));
  return withWordedHint(inCategory(category, createFailure(code, message, toReturnTimes(times, category, clock.now))));
}

/** Evidence may have another category than its code. */
function inCategory(category: FailureCategory, failure: Failure): Failure {
  return failure.category === category ? failure : { ...failure, category, ...FAILURE_TRAITS[category] };
}

const UNNAMED: ErrorName = { category: "unknown", code: "unclassified" };

function nameError({ name, text, status }: ReadError, clock: Clock, waitMs: number | undefined): ErrorName {
  if (name === "AbortError") return { category: "cancelled", code: "interrupted" };
  if (name === "TimeoutError") return { category: "timeout", code: "upstream-timeout" };
  return weighWords({ text, clock, ...defined({ status, waitMs }) }) ?? UNNAMED;
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

/** The exit of a process, the stored parts of its stderr, and the secrets that it knew. */
export type Ending = ExitReport & StderrEnds & { readonly secrets?: RunSecrets };

export function classifyFault(provider: Provider, reported: Fault, given: Ending): Failure {
  const ending = withoutSecrets(given);
  const values = given.secrets?.() ?? [];
  const fault = withinBounds({ ...reported, message: removeValues(reported.message, values) });
  const { event, status, retryAfterMs, resetAt } = fault;
  const details = { evidence: { ...evidenceOf(ending), ...defined({ event, upstreamStatus: status }) } };
  const { named, lines } = weighReported(provider, fault, ending);
  const [words = fault.message] = lines;
  const failure = named === undefined ? createFailure("unclassified", words, details) : nameBy(provider, named, details);
  const wait = retryAfterMs === undefined ? undefined : { value: retryAfterMs, unitMs: 1 };
  return redactFailure(withTimes(failure, lines, defined({ wait, reset: resetAt })), values);
}

/** What names the failure of a reported fault, and the texts that may state its times, the most exact first. */
type WeighedReport = { readonly named: WeighedFault | undefined; readonly lines: readonly string[] };

/** Stderr is evidence too if the process failed and its fault is all that it printed, or names nothing. Of equal weights stderr counts. */
function weighReported(provider: Provider, fault: Fault, ending: Ending): WeighedReport {
  const clock = hostClock();
  const reported = weighFault(provider, fault, ending, clock);
  if (!hasFailed(ending) || (fault.isOutput !== true && reported !== undefined))
    return { named: reported, lines: [fault.message] };
  const lines = stderrLinesOf(ending, provider.stderrNoise);
  const messages = readMessages(lines);
  const beside = weighStderr(provider, { lines, messages }, ending, clock);
  const named = heaviest([beside, reported].filter((piece) => piece !== undefined));
  const words = fault.isOutput === true ? messages.find(({ isError, isAside }) => isError && !isAside)?.text : undefined;
  const first = named === undefined ? (words ?? fault.message) : named.line;
  return { named, lines: [first, ...lines.toReversed(), fault.message] };
}

/** Stderr without the secrets of the process. This comes first, because the limits on lengths may cut a secret. */
function withoutSecrets({ secrets, stderrTail, stderrHead, ...exit }: Ending): Ending {
  const values = secrets?.() ?? [];
  const head = stderrHead === undefined ? {} : { stderrHead: removeValues(stderrHead, values) };
  return { ...exit, stderrTail: removeValues(stderrTail, values), ...head };
}

/** Limits the length of the message and removes a wait that is not plausible. */
function withinBounds({ retryAfterMs, ...fault }: Fault): Fault {
  const waitMs = retryAfterMs === undefined ? undefined : readWaitField(retryAfterMs, 1);
  return { ...fault, message: fault.message.slice(0, LONGEST_TEXT), ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
}

/** Maps the exit of a process that did not declare the end of its turn to a failure. */
export function classifyEnding(provider: Provider, given: Ending): Failure {
  const ending = withoutSecrets(given);
  const lines = hasFailed(ending) ? stderrLinesOf(ending, provider.stderrNoise) : [];
  const { failure, line } = nameEnding(provider, ending, lines);
  return redactFailure(withTimes(failure, [line, ...lines.toReversed()]));
}

type NamedEnding = { readonly failure: Failure; readonly line: string };

function nameEnding(provider: Provider, ending: Ending, lines: readonly string[]): NamedEnding {
  const { exitCode } = ending;
  const details = { evidence: evidenceOf(ending) };
  const messages = readMessages(lines);
  const words = firstWords(messages) ?? lines.map((line) => line.trim()).find((line) => line !== "");
  const silent = `${provider.label} ${exitCode === undefined ? "closed its output" : `ended with exit code ${exitCode}`} without an answer.`;
  const named = weighStderr(provider, { lines, messages }, ending, hostClock());
  if (named !== undefined)
    return { failure: nameBy(provider, { ...named, line: named.line || (words ?? silent) }, details), line: named.line };
  const crash = crashOf(provider, ending);
  if (crash !== undefined) return { failure: createFailure("crashed", crash, details), line: words ?? "" };
  const code = words === undefined ? "no-terminal-event" : "unclassified";
  return { failure: createFailure(code, words ?? silent, details), line: words ?? "" };
}

function crashOf({ label }: Provider, { exitCode, signal }: Ending): string | undefined {
  if (signal !== undefined) return `${label} was ended by ${signal} before it answered.`;
  return exitCode !== undefined && exitCode > 128 ? `${label} crashed with exit code ${exitCode} before it answered.` : undefined;
}

/** Adds the wait and reset time: the given ones, or those of the first line that states any. The hint depends on them. */
function withTimes(failure: Failure, lines: readonly string[], given: TimeSigns = {}): Failure {
  const clock = hostClock();
  const signs = { ...given, isLimit: isLimit(failure.category) };
  const read = (signs.isLimit ? lines : lines.slice(0, 1)).map((line) => readTimes(line, clock, signs));
  const stated = read.find((times) => Object.keys(times).length > 0) ?? {};
  return withWordedHint({ ...failure, ...toReturnTimes(stated, failure.category, clock.now) });
}

function hostClock(): Clock {
  return {
    now: Date.now(),
    // A getter, because the lookup of the time zone is slow and few failures state a time of day.
    get timeZone() {
      return toKnownZone(undefined);
    },
  };
}

function nameBy(provider: Provider, { category, code, line, rule }: WeighedFault, details: FailureDetails): Failure {
  const { hint, message = line } = rule ?? {};
  const fix = rule?.fixCommand === undefined ? fixFor(provider, code) : fixBy(provider, rule.fixCommand ?? undefined);
  const hinted = hint === undefined ? {} : { hint: hintOf(provider, hint) };
  return inCategory(category, createFailure(code, message, { ...details, ...hinted, ...fix }));
}

/** A hint of a project's configuration file is shown as that file's. */
function hintOf({ origin }: Provider, hint: string): string {
  return origin?.scope !== "project" ? hint : `${origin.path} says: ${hint}`;
}

function fixFor(provider: Provider, code: FailureCode): Fix {
  if (code === "not-logged-in") return fixBy(provider, provider.login);
  return code === "model-unknown" && provider.models.length > 0 ? { fixCommand: `cox models ${provider.id}` } : {};
}

/** The stored lines of stderr, blank lines included, without the provider's noise. */
function stderrLinesOf({ stderrHead = "", stderrTail }: Ending, noise: RegExp | undefined): readonly string[] {
  return stripTerminalCodes(`${stderrHead}\n${stderrTail}`)
    .split(/\r?\n/)
    .map((line) => line.slice(0, LONGEST_TEXT))
    .filter((line) => noise?.test(line.trim()) !== true);
}

function evidenceOf({ exitCode, signal, stderrTail }: Ending): FailureEvidence {
  return defined({ exitCode, signal, stderrTail: stderrTail === "" ? undefined : stderrTail });
}
