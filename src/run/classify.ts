import { LONGEST_TEXT, nameWords } from "../failures/name-words.ts";
import type { Clock } from "../failures/read-reset.ts";
import { isLimit, readTimes, type TimeSigns, toReturnTimes } from "../failures/read-times.ts";
import { readWaitField } from "../failures/read-wait.ts";
import { redactFailure } from "../failures/redact.ts";
import { removeValues } from "../failures/secret-values.ts";
import { codeOfStatus, statusesInText } from "../failures/status-codes.ts";
import { toKnownZone } from "../failures/time-zones.ts";
import type { StderrEnds } from "../process/stderr-keeper.ts";
import { stripTerminalCodes } from "../process/strip-terminal-codes.ts";
import { createFailure, type FailureDetails } from "../spec/create-failure.ts";
import type { Failure, FailureEvidence } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import { type Fix, fixBy } from "../spec/fix-command.ts";
import type { FaultRule, Provider } from "../spec/provider.ts";
import type { ExitReport, Fault } from "../spec/wire.ts";
import type { RunSecrets } from "./run-secrets.ts";

/** The exit of a process, the stored parts of its stderr, and the secrets that it knew. */
export type Ending = ExitReport & StderrEnds & { readonly secrets?: RunSecrets };

/** Maps a fault that the CLI reported to a failure. */
export function classifyFault(provider: Provider, reported: Fault, given: Ending): Failure {
  const ending = withoutSecrets(given);
  const values = given.secrets?.() ?? [];
  const fault = withinBounds({ ...reported, message: removeValues(reported.message, values) });
  const { event, status, retryAfterMs, resetAt } = fault;
  const reportedFacts = { ...(event !== undefined && { event }), ...(status !== undefined && { upstreamStatus: status }) };
  const details = { evidence: { ...evidenceOf(ending), ...reportedFacts } };
  const found = provider.faults.find((candidate) => holds(candidate, fault, ending));
  const rule = found !== undefined && isSpentQuota(found, fault) ? { ...found, code: "quota-exhausted" as const } : found;
  const named = rule === undefined ? nameByShared(provider, fault, details) : nameByRule(provider, rule, fault.message, details);
  const failure = named ?? createFailure("unclassified", fault.message, details);
  const stated: TimeSigns = {
    ...(retryAfterMs !== undefined && { wait: { value: retryAfterMs, unitMs: 1 } }),
    ...(resetAt !== undefined && { reset: resetAt }),
  };
  return redactFailure(withTimes(failure, [fault.message], stated), values);
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

/** CLIs report both a rate limit and a used-up quota as HTTP 429; only the message distinguishes them. */
function isSpentQuota({ code, text }: FaultRule, { message }: Fault): boolean {
  return code === "rate-limited" && text === undefined && nameWords({ text: message, status: 429 })?.code === "quota-exhausted";
}

/** Maps the exit of a process that did not declare the end of its turn to a failure. */
export function classifyEnding(provider: Provider, given: Ending): Failure {
  const ending = withoutSecrets(given);
  const { exitCode, signal } = ending;
  const failed = signal !== undefined || (exitCode ?? 0) !== 0;
  const lines = failed ? stderrLinesOf(ending, provider.stderrNoise) : [];
  const { failure, line } = nameEnding(provider, ending, lines);
  return redactFailure(withTimes(failure, [line, ...lines.toReversed()]));
}

/** The failure and the stderr line that it comes from. */
type NamedEnding = { readonly failure: Failure; readonly line: string };

function nameEnding(provider: Provider, ending: Ending, lines: readonly string[]): NamedEnding {
  const { exitCode, signal } = ending;
  const details = { evidence: evidenceOf(ending) };
  const failed = signal !== undefined || (exitCode ?? 0) !== 0;
  const errorLine = lines.findLast((line) => /error|invalid|cannot|fail|denied|not found/i.test(line)) ?? lines.at(-1) ?? "";
  const how = exitCode === undefined ? "closed its output" : `ended with exit code ${exitCode}`;
  const unnamed = `${provider.label} ${how} without an answer${errorLine === "" ? "." : `: ${errorLine}`}`;
  for (const rule of failed ? provider.faults : []) {
    const words = rule.text === undefined ? [errorLine] : lines;
    const line = words.findLast((message) => holds(rule, { message }, ending));
    if (line !== undefined) return { failure: nameByRule(provider, rule, line || unnamed, details), line };
  }
  const failure = nameByShared(provider, { message: errorLine }, details) ?? nameUnworded(provider, ending, unnamed, details);
  return { failure, line: errorLine };
}

function nameUnworded(provider: Provider, { exitCode, signal }: Ending, unnamed: string, details: FailureDetails): Failure {
  if (signal !== undefined)
    return createFailure("crashed", `${provider.label} was ended by ${signal} before it answered.`, details);
  if (exitCode !== undefined && exitCode > 128)
    return createFailure("crashed", `${provider.label} crashed with exit code ${exitCode} before it answered.`, details);
  return createFailure("no-terminal-event", unnamed, details);
}

/** Adds the wait and reset time: the given ones, or those of the first line that states any. */
function withTimes(failure: Failure, lines: readonly string[], given: TimeSigns = {}): Failure {
  const clock: Clock = {
    now: Date.now(),
    // A getter, because the lookup of the time zone is slow and few failures state a time of day.
    get timeZone() {
      return toKnownZone(undefined);
    },
  };
  const signs = { ...given, isLimit: isLimit(failure.category) };
  const read = (signs.isLimit ? lines : lines.slice(0, 1)).map((line) => readTimes(line, clock, signs));
  const stated = read.find((times) => Object.keys(times).length > 0) ?? {};
  return { ...failure, ...toReturnTimes(stated, failure.category, clock.now) };
}

function holds(rule: FaultRule, fault: Fault, { exitCode }: Ending): boolean {
  if (rule.kind !== undefined && rule.kind !== fault.kind) return false;
  if (rule.status !== undefined && rule.status !== fault.status) return false;
  if (rule.exitCode !== undefined && rule.exitCode !== exitCode) return false;
  return rule.text === undefined || rule.text.test(fault.message);
}

function nameByRule(provider: Provider, rule: FaultRule, words: string, details: FailureDetails): Failure {
  const { code, hint, message = words } = rule;
  const fix = rule.fixCommand === undefined ? fixFor(provider, code) : fixBy(provider, rule.fixCommand);
  return createFailure(code, message, { ...details, ...(hint !== undefined && { hint: hintOf(provider, hint) }), ...fix });
}

function nameByShared(provider: Provider, fault: Fault, details: FailureDetails): Failure | undefined {
  const code = sharedCode(fault);
  return code === undefined ? undefined : nameByRule(provider, { code }, fault.message, details);
}

/** A hint of a project's configuration file is shown as that file's. */
function hintOf({ origin }: Provider, hint: string): string {
  return origin?.scope !== "project" ? hint : `${origin.path} says: ${hint}`;
}

function fixFor(provider: Provider, code: FailureCode): Fix {
  if (code === "not-logged-in") return fixBy(provider, provider.login);
  return code === "model-unknown" && provider.models.length > 0 ? { fixCommand: `cox models ${provider.id}` } : {};
}

/** Removed from messages, because the signal that ended the process is already known. */
const SIGNALS = /\bSIG(?:TERM|KILL)\b/gi;
/** Codes that a message cannot mean, because the program did start. */
const ABOUT_STARTING: readonly FailureCode[] = ["cli-missing", "cli-not-executable", "arguments-too-large", "unclassified"];

function sharedCode({ message, kind, status, retryAfterMs }: Fault): FailureCode | undefined {
  const beside = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { waitMs: retryAfterMs }) };
  const named = nameWords({ text: message.replace(SIGNALS, ""), ...beside }) ?? nameWords({ text: kind ?? "" });
  const code = named?.code;
  if (code !== undefined && !ABOUT_STARTING.includes(code)) return code;
  const [inText] = statusesInText(message);
  return inText === undefined ? undefined : codeOfStatus(inText);
}

/** The stored lines of stderr without blank lines and the provider's noise. */
function stderrLinesOf({ stderrHead = "", stderrTail }: Ending, noise: RegExp | undefined): readonly string[] {
  return stripTerminalCodes(`${stderrHead}\n${stderrTail}`)
    .split(/\r?\n/)
    .map((line) => line.trim().slice(0, LONGEST_TEXT))
    .filter((line) => line !== "" && noise?.test(line) !== true);
}

function evidenceOf({ exitCode, signal, stderrTail }: Ending): FailureEvidence {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(stderrTail !== "" && { stderrTail }),
  };
}
