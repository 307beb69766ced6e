import type { StderrEnds } from "../process/stderr-keeper.ts";
import { createFailure, type FailureDetails } from "../spec/create-failure.ts";
import type { ExitReport, Fault } from "../spec/dialect.ts";
import type { Failure, FailureEvidence } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import type { FaultRule, Provider } from "../spec/provider.ts";
import { redactFailure } from "./redact.ts";
import { codeOfStatus, SHARED_TEXT_FAULTS, statusInText } from "./shared-faults.ts";
import { stripTerminalCodes } from "./strip-terminal-codes.ts";

/** How the process ended and what is kept of its complaints. */
export type Ending = ExitReport & StderrEnds;

/** A line of output may be megabytes long; what names an error stands at its beginning, and patterns are slow on the rest. */
const LONGEST_MESSAGE = 4096;

/** Names the failure that the CLI itself reported. */
export function classifyFault(provider: Provider, reported: Fault, ending: Ending): Failure {
  const fault = { ...reported, message: reported.message.slice(0, LONGEST_MESSAGE) };
  const { event, retryAfterMs, resetAt } = fault;
  const details: FailureDetails = {
    evidence: { ...evidenceOf(ending), ...(event !== undefined && { event }) },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(resetAt !== undefined && { resetAt }),
  };
  const rule = provider.faults.find((candidate) => holds(candidate, fault, ending));
  const named = rule === undefined ? nameByShared(provider, fault, details) : nameByRule(provider, rule, fault.message, details);
  return redactFailure(named ?? createFailure("unclassified", fault.message, details));
}

/** Names the failure of a process that ended without saying that the turn was over. */
export function classifyEnding(provider: Provider, ending: Ending): Failure {
  return redactFailure(nameEnding(provider, ending));
}

function nameEnding(provider: Provider, ending: Ending): Failure {
  const { exitCode, signal } = ending;
  const details = { evidence: evidenceOf(ending) };
  const failed = signal !== undefined || (exitCode ?? 0) !== 0;
  const lines = failed ? complaintsIn(ending, provider.stderrNoise) : [];
  const complaint = lines.findLast((line) => /error|invalid|cannot|fail|denied|not found/i.test(line)) ?? lines.at(-1) ?? "";
  const how = exitCode === undefined ? "closed its output" : `ended with exit code ${exitCode}`;
  const unnamed = `${provider.label} ${how} without an answer${complaint === "" ? "." : `: ${complaint}`}`;
  for (const rule of failed ? provider.faults : []) {
    const words = rule.text === undefined ? [complaint] : lines;
    const line = words.findLast((message) => holds(rule, { message }, ending));
    if (line !== undefined) return nameByRule(provider, rule, line || unnamed, details);
  }
  const named = nameByShared(provider, { message: complaint }, details);
  if (named !== undefined) return named;
  if (signal !== undefined)
    return createFailure("crashed", `${provider.label} was ended by ${signal} before it had answered.`, details);
  if (exitCode !== undefined && exitCode > 128)
    return createFailure("crashed", `${provider.label} died with exit code ${exitCode} before it had answered.`, details);
  return createFailure("no-terminal-event", unnamed, details);
}

function holds(rule: FaultRule, fault: Fault, { exitCode }: Ending): boolean {
  if (rule.kind !== undefined && rule.kind !== fault.kind) return false;
  if (rule.status !== undefined && rule.status !== fault.status) return false;
  if (rule.exitCode !== undefined && rule.exitCode !== exitCode) return false;
  return rule.text === undefined || rule.text.test(fault.message);
}

function nameByRule(provider: Provider, rule: FaultRule, words: string, details: FailureDetails): Failure {
  const { code, hint, message = words, fixCommand = loginFor(provider, code) } = rule;
  const advice = { ...(hint !== undefined && { hint }), ...(fixCommand !== undefined && { fixCommand }) };
  return createFailure(code, message, { ...details, ...advice });
}

function nameByShared(provider: Provider, fault: Fault, details: FailureDetails): Failure | undefined {
  const code = sharedCode(fault);
  return code === undefined ? undefined : nameByRule(provider, { code }, fault.message, details);
}

function loginFor(provider: Provider, code: FailureCode): string | undefined {
  return code === "not-logged-in" ? provider.login : undefined;
}

function sharedCode(fault: Fault): FailureCode | undefined {
  const status = fault.status ?? statusInText(fault.message);
  const byStatus = status === undefined ? undefined : codeOfStatus(status);
  return byStatus ?? SHARED_TEXT_FAULTS.find(([wording]) => wording.test(fault.message))?.[1];
}

/** The lines of stderr that may say what is wrong, as far as they were kept. */
function complaintsIn({ stderrHead = "", stderrTail }: Ending, noise: RegExp | undefined): readonly string[] {
  return stripTerminalCodes(`${stderrHead}\n${stderrTail}`)
    .split(/\r?\n/)
    .map((line) => line.trim().slice(0, LONGEST_MESSAGE))
    .filter((line) => line !== "" && noise?.test(line) !== true);
}

function evidenceOf({ exitCode, signal, stderrTail }: Ending): FailureEvidence {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(stderrTail !== "" && { stderrTail }),
  };
}
