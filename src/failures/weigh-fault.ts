import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { defined } from "../spec/json.ts";
import type { FaultRule, Provider } from "../spec/provider/provider.ts";
import type { ExitReport, Fault } from "../spec/wire/wire.ts";
import type { StderrMessage } from "./stderr-messages.ts";
import type { Clock } from "./times/read-reset.ts";
import { codeOfStatus } from "./words/names-and-statuses.ts";
import { toEvidence, weighWords } from "./words/weigh-words.ts";
import { type Evidence, heaviest, WEIGHTS } from "./words/weights.ts";

/** The evidence that names the failure of a run, the text it comes from, and the rule of the provider if one decided. */
export type WeighedFault = Evidence & { readonly line: string; readonly rule?: FaultRule };

/** The heaviest evidence in a fault that the CLI reported: the first rule of its provider that holds, and the words, statuses and names. */
export function weighFault(provider: Provider, fault: Fault, exit: ExitReport, clock: Clock): WeighedFault | undefined {
  const rule = provider.faults.find((candidate) => holds(candidate, fault, exit));
  const ruled = rule === undefined ? undefined : toWeighed(rule, fault.message);
  return weighShared(provider, fault, exit, { clock, above: ruled?.weight }) ?? ruled;
}

export type Stderr = { readonly lines: readonly string[]; readonly messages: readonly StderrMessage[] };

/** The heaviest evidence on stderr. The rules of the provider read every line and every message; the shared words read the messages. */
export function weighStderr(
  provider: Provider,
  { lines, messages }: Stderr,
  exit: ExitReport,
  clock: Clock,
): WeighedFault | undefined {
  const texts = [...messages.map(({ text }) => text), ...lines.map((line) => line.trim())].filter((text) => text !== "");
  const last = messages.findLast(({ isError }) => isError)?.text ?? texts.at(-1) ?? "";
  const lineOf = (rule: FaultRule): string | undefined =>
    (rule.text === undefined ? [last] : texts).findLast((message) => holds(rule, { message }, exit));
  const rule = hasFailed(exit) ? provider.faults.find((candidate) => lineOf(candidate) !== undefined) : undefined;
  const ruled = rule === undefined ? undefined : toWeighed(rule, lineOf(rule) ?? last);
  if (ruled !== undefined && ruled.weight > WEIGHTS.plain) return ruled;
  const worded = weighMessages(provider, messages, exit, clock);
  const counts = worded !== undefined && (worded.weight > WEIGHTS.subject || !isEndedBySignal(exit));
  return heaviest([...(ruled === undefined ? [] : [ruled]), ...(counts ? [worded] : [])]);
}

/** True if a signal ended the process: that says more than the weakest words. */
function isEndedBySignal({ exitCode, signal }: ExitReport): boolean {
  return signal !== undefined || (exitCode ?? 0) > 128;
}

export function hasFailed({ exitCode, signal }: ExitReport): boolean {
  return signal !== undefined || (exitCode ?? 0) !== 0;
}

/** The heaviest evidence of the messages: the errors of the run first, then other messages, then what is beside the run, then all as one text. */
function weighMessages(
  provider: Provider,
  messages: readonly StderrMessage[],
  exit: ExitReport,
  clock: Clock,
): WeighedFault | undefined {
  const heaviestOf = (group: readonly StderrMessage[]): WeighedFault | undefined =>
    group.reduceRight<WeighedFault | undefined>(
      (best, { text }) => weighShared(provider, { message: text }, exit, { clock, above: best?.weight }) ?? best,
      undefined,
    );
  const errors = heaviestOf(messages.filter(({ isError, isAside }) => isError && !isAside));
  if (errors !== undefined && errors.weight > WEIGHTS.subject) return errors;
  const whole = { text: messages.map(({ text }) => text).join("\n"), isError: true, isAside: false };
  const isAlone = messages.length === 1 && (errors !== undefined || isName(whole.text));
  const least = isAlone ? WEIGHTS.subject : WEIGHTS.wrapper;
  const others = [
    messages.filter(({ isError, isAside }) => !isError && !isAside),
    messages.filter(({ isAside }) => isAside),
    [whole],
  ];
  const found = others.map(heaviestOf).find((piece) => piece !== undefined && piece.weight >= least);
  const crashed = heaviestOf([whole]);
  return found ?? errors ?? (crashed?.weight === WEIGHTS.nothing ? crashed : undefined);
}

/** True for the few words of a name or a reason phrase, such as "socket hang up". */
function isName(text: string): boolean {
  return text.split(/\s+/).length <= MOST_WORDS_OF_NAME;
}

const MOST_WORDS_OF_NAME = 3;

function holds(rule: FaultRule, fault: Fault, { exitCode }: ExitReport): boolean {
  if (rule.kind !== undefined && rule.kind !== fault.kind) return false;
  if (rule.status !== undefined && rule.status !== fault.status) return false;
  if (rule.exitCode !== undefined && rule.exitCode !== exitCode) return false;
  return rule.text === undefined || rule.text.test(fault.message);
}

function toWeighed(rule: FaultRule, line: string): WeighedFault {
  return { ...toEvidence(rule.code, weightOf(rule)), line, rule };
}

function weightOf({ code, text, kind }: FaultRule): number {
  if (code === "unclassified") return WEIGHTS.nothing;
  if (text !== undefined) return SYMPTOMS.has(code) ? WEIGHTS.wrapper : WEIGHTS.recorded;
  return kind === undefined || STATUS_LIKE.has(code) ? WEIGHTS.sign : WEIGHTS.declared;
}

/** The codes of what an answer looks like; words that name the cause beside it are more exact. */
const SYMPTOMS: ReadonlySet<FailureCode> = new Set(["upstream-garbled", "connection-lost"]);

/** The codes that an HTTP status has too: a kind with such a code repeats the status, and words are more exact. */
const STATUS_LIKE: ReadonlySet<FailureCode | undefined> = new Set(
  [400, 401, 402, 403, 404, 408, 413, 429, 500, 529].map((status) => codeOfStatus(status)),
);

/** Removed from messages, because the signal that ended the process is already known. */
const SIGNALS = /\bSIG(?:TERM|KILL)\b/gi;
/** cmd.exe and PowerShell, which a shim of npm runs in, say this about a program and exit with 1. */
const NOT_RECOGNIZED = /\bis not recognized as (?:an internal|(?:the|a) name of)|不是内部或外部命令|识别为 ?cmdlet/i;
/** Codes that a message cannot mean, because the program did start; a shell that did not find it exits with 126 or 127. */
const ABOUT_STARTING: readonly FailureCode[] = ["cli-missing", "cli-not-executable", "arguments-too-large"];

/** The heaviest evidence of the shared words, statuses and names in a message, if it is heavier than `above`. */
function weighShared(
  provider: Provider,
  { message, kind, status, retryAfterMs: waitMs }: Fault,
  exit: ExitReport,
  { clock, above = 0 }: { readonly clock: Clock; readonly above?: number | undefined },
): WeighedFault | undefined {
  const hasStarted =
    exit.exitCode !== 126 && exit.exitCode !== 127 && !NOT_RECOGNIZED.test(message) && !missesItself(provider, message);
  const wanted = { above, excluded: hasStarted ? ABOUT_STARTING : [] };
  const found = weighWords({ text: message.replace(SIGNALS, ""), ...defined({ kind, status, waitMs }), clock }, wanted);
  return found === undefined ? undefined : { ...found, line: message };
}

/** A program that was not found: named before these words, or after them as zsh does. */
const MISSING: readonly RegExp[] = [
  /\bcommand not found: (\S+)$/m,
  /(?:^|[\s/\\'"])([\w.-]+)['"]?:? (?:(?:command )?not found|ENOENT)\b/m,
];

/** True if a shell, or a launcher of the CLI, says that it did not find the CLI's own program. */
function missesItself({ binary }: Provider, message: string): boolean {
  const names = "names" in binary ? binary.names : [];
  const missing = MISSING.map((words) => words.exec(message)?.[1]?.replace(/\.(?:exe|cmd)$/, ""));
  return missing.some((name) => name !== undefined && names.includes(name));
}
