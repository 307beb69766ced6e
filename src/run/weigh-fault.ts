import type { Clock } from "../failures/read-reset.ts";
import { codeOfStatus } from "../failures/status-codes.ts";
import { toEvidence, weighWords } from "../failures/weigh-words.ts";
import { type Evidence, heaviest, WEIGHTS } from "../failures/weights.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import type { FaultRule, Provider } from "../spec/provider.ts";
import type { ExitReport, Fault } from "../spec/wire.ts";

/** The evidence that names the failure of a run, the text it comes from, and the rule of the provider if one decided. */
export type WeighedFault = Evidence & { readonly line: string; readonly rule?: FaultRule };

/** The heaviest evidence in a fault that the CLI reported: the first rule of its provider that holds, and the words, statuses and names. */
export function weighFault(provider: Provider, fault: Fault, exit: ExitReport, clock: Clock): WeighedFault | undefined {
  const rule = provider.faults.find((candidate) => holds(candidate, fault, exit));
  const ruled = rule === undefined ? [] : [toWeighed(rule, fault.message)];
  return heaviest([...ruled, ...weighShared(fault, exit, clock)]);
}

/** The lines of stderr, those about an error, and the last of these. */
export type StderrLines = {
  readonly lines: readonly string[];
  readonly errorLines: readonly string[];
  readonly errorLine: string;
};

/** The heaviest evidence on stderr. The rules read every line; the shared words read the last error line that means something to them. */
export function weighLines(provider: Provider, read: StderrLines, exit: ExitReport, clock: Clock): WeighedFault | undefined {
  const { lines, errorLines, errorLine } = read;
  const lineOf = (rule: FaultRule): string | undefined =>
    (rule.text === undefined ? [errorLine] : lines).findLast((message) => holds(rule, { message }, exit));
  const rule = provider.faults.find((candidate) => lineOf(candidate) !== undefined);
  const ruled = rule === undefined ? [] : [toWeighed(rule, lineOf(rule) ?? errorLine)];
  const weighed = [...errorLines.slice(0, -1), errorLine].map((message) => weighShared({ message }, exit, clock));
  const shared = weighed.findLast((pieces) => pieces.some(({ weight }) => weight > WEIGHTS.nothing)) ?? weighed.flat();
  return heaviest([...ruled, ...shared]);
}

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
  if (text !== undefined) return WEIGHTS.recorded;
  return kind === undefined || STATUS_LIKE.has(code) ? WEIGHTS.sign : WEIGHTS.declared;
}

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

function weighShared({ message, ...signs }: Fault, { exitCode }: ExitReport, clock: Clock): readonly WeighedFault[] {
  const { kind, status, retryAfterMs: waitMs } = signs;
  const beside = {
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(waitMs !== undefined && { waitMs }),
  };
  const hasStarted = exitCode !== 126 && exitCode !== 127 && !NOT_RECOGNIZED.test(message);
  return weighWords({ text: message.replace(SIGNALS, ""), ...beside, clock })
    .filter(({ code }) => code !== "unclassified" && !(hasStarted && ABOUT_STARTING.includes(code)))
    .map((piece) => ({ ...piece, line: message }));
}
