import { createFailure, type FailureDetails } from "../spec/create-failure.ts";
import type { ExitReport, Fault } from "../spec/dialect.ts";
import type { Failure, FailureEvidence } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import type { FaultRule, Provider } from "../spec/provider.ts";
import { redactFailure } from "./redact.ts";
import { codeOfStatus, SHARED_TEXT_FAULTS, statusInText } from "./shared-faults.ts";
import { stripTerminalCodes } from "./strip-terminal-codes.ts";

/** How the process ended and what it last complained about. */
export type Ending = ExitReport & { readonly stderrTail: string };

/** A line of output may be megabytes long; what names an error stands at its beginning, and patterns are slow on the rest. */
const LONGEST_MESSAGE = 4096;

/** Names the failure that the CLI itself reported. */
export function classifyFault(provider: Provider, reported: Fault, ending: Ending): Failure {
  const fault = { ...reported, message: reported.message.slice(0, LONGEST_MESSAGE) };
  const evidence = { ...evidenceOf(ending), ...(fault.event !== undefined && { event: fault.event }) };
  return redactFailure(nameFault(provider, fault, evidence) ?? createFailure("unclassified", fault.message, { evidence }));
}

/** Names the failure of a process that ended without saying that the turn was over. */
export function classifyEnding(provider: Provider, ending: Ending): Failure {
  return redactFailure(nameEnding(provider, ending));
}

function nameEnding(provider: Provider, ending: Ending): Failure {
  const evidence = evidenceOf(ending);
  const complaint = complaintOf(ending.stderrTail);
  const failed = ending.signal !== undefined || (ending.exitCode ?? 0) !== 0;
  const named = failed && complaint !== "" ? nameFault(provider, { message: complaint }, evidence) : undefined;
  if (named !== undefined) return named;
  const { exitCode, signal } = ending;
  if (signal !== undefined)
    return createFailure("crashed", `${provider.label} was ended by ${signal} before it had answered.`, { evidence });
  if (exitCode !== undefined && exitCode > 128) {
    return createFailure("crashed", `${provider.label} died with exit code ${exitCode} before it had answered.`, { evidence });
  }
  const how = exitCode === undefined ? "closed its output" : `ended with exit code ${exitCode}`;
  const why = failed && complaint !== "" ? `: ${complaint}` : ".";
  return createFailure("no-terminal-event", `${provider.label} ${how} without an answer${why}`, { evidence });
}

function nameFault(provider: Provider, fault: Fault, evidence: FailureEvidence): Failure | undefined {
  const rule = provider.faults.find((candidate) => holds(candidate, fault));
  const code = rule?.code ?? sharedCode(fault);
  if (code === undefined) return undefined;
  const details: FailureDetails = {
    evidence,
    ...(rule?.hint !== undefined && { hint: rule.hint }),
    ...(rule?.fixCommand !== undefined && { fixCommand: rule.fixCommand }),
    ...(code === "not-logged-in" && rule?.fixCommand === undefined && provider.login && { fixCommand: provider.login }),
  };
  return createFailure(code, fault.message, details);
}

function holds(rule: FaultRule, fault: Fault): boolean {
  if (rule.kind !== undefined && rule.kind !== fault.kind) return false;
  if (rule.status !== undefined && rule.status !== fault.status) return false;
  return rule.text === undefined || rule.text.test(fault.message);
}

function sharedCode(fault: Fault): FailureCode | undefined {
  const status = fault.status ?? statusInText(fault.message);
  const byStatus = status === undefined ? undefined : codeOfStatus(status);
  return byStatus ?? SHARED_TEXT_FAULTS.find(([wording]) => wording.test(fault.message))?.[1];
}

/** The line of stderr that says what is wrong: the last one that speaks of an error, else the last one. */
function complaintOf(stderrTail: string): string {
  const lines = stripTerminalCodes(stderrTail)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const complaint = lines.findLast((line) => /error|invalid|cannot|fail|denied|not found/i.test(line)) ?? lines.at(-1) ?? "";
  return complaint.trim().slice(0, LONGEST_MESSAGE);
}

function evidenceOf({ exitCode, signal, stderrTail }: Ending): FailureEvidence {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(stderrTail !== "" && { stderrTail }),
  };
}
