import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Usage } from "../spec/usage.ts";
import type { TurnEnd } from "../spec/wire.ts";
import { classifyEnding, classifyFault, type Ending } from "./classify.ts";
import { failedEnd } from "./ends.ts";
import type { EventLog } from "./event-log.ts";

/** What a successful attempt must satisfy. */
export type Demands = {
  readonly provider: Provider;
  /** The number of characters of the prompt, if it is known. */
  readonly promptLength?: number;
  readonly wantsObject?: boolean;
  readonly failOnDenial?: boolean;
  /** True if a line exceeded a limit and was dropped; it may have been the answer. */
  readonly hasMissedLine?: boolean;
};

/** The demands of a request. */
export function demandsOf(
  { provider, request }: { readonly provider: Provider; readonly request: PromptRequest },
  hasMissedLine: boolean,
): Demands {
  return {
    provider,
    promptLength: request.prompt.length + (request.system?.length ?? 0),
    wantsObject: request.outputSchema !== undefined,
    failOnDenial: request.onPermissionDenied === "error",
    hasMissedLine,
  };
}

/** The end of an attempt from the turn end that the CLI declared; `ending` is what is known of the process so far. */
export function concludeTurn(log: EventLog, turnEnd: TurnEnd, demands: Demands, ending: Ending): RunEnd {
  if (turnEnd.fault !== undefined)
    return concludeFailure(log, classifyFault(demands.provider, turnEnd.fault, ending), turnEnd.finish);
  const unmet = unmetDemand(log, demands);
  if (unmet !== undefined) return concludeFailure(log, unmet);
  const { finish, answerId } = turnEnd;
  if (answerId === undefined && demands.hasMissedLine === true) {
    const message = `${demands.provider.label} printed a line that exceeds a limit and no other answer.`;
    return concludeFailure(log, createFailure("output-truncated", message));
  }
  if (answerId !== undefined && !log.facts().sawUsage) log.add({ type: "usage", usage: estimate(log, demands) });
  log.closeOpenCalls();
  return { type: "run-end", finish, ...(answerId !== undefined && { answerId: log.answerId(answerId) }) };
}

/** The end of an attempt whose turn is parked with its calls. */
export function concludeCalls(log: EventLog, demands: Demands): RunEnd {
  if (!log.facts().sawUsage) log.add({ type: "usage", usage: estimate(log, demands) });
  const answerId = log.lastTextId();
  return { type: "run-end", finish: "tool-calls", ...(answerId !== undefined && { answerId }) };
}

/** The end of an attempt whose process exited without a turn end. */
export function concludeEnding(log: EventLog, demands: Demands, ending: Ending): RunEnd {
  return concludeFailure(log, classifyEnding(demands.provider, ending));
}

/** The failure of a run that a timeout ended. */
export function failureOfClock(provider: Provider, code: TimeoutCode, afterMs: number, { stderrTail }: Ending): Failure {
  const evidence = stderrTail === "" ? {} : { stderrTail };
  return createFailure(code, `${provider.label} ${CLOCK_WORDS[code]} after ${afterMs} ms.`, { evidence });
}

/** The failure of a run whose output did not fit on the disk. */
export function failureOfCut(provider: Provider, { stderrTail }: Ending): Failure {
  const message = `The output of ${provider.label} may be incomplete, because the disk of the temporary directory is full.`;
  const evidence = stderrTail === "" ? {} : { stderrTail };
  return createFailure("output-truncated", message, { evidence, hint: "Free space on the disk of the temporary directory." });
}

type TimeoutCode = "first-event-timeout" | "idle-timeout" | "total-timeout";

const CLOCK_WORDS: Readonly<Record<TimeoutCode, string>> = {
  "first-event-timeout": "printed nothing",
  "idle-timeout": "was silent",
  "total-timeout": "was not finished",
};

/** Closes open tool calls and returns the failed end with the text so far. */
export function concludeFailure(log: EventLog, failure: Failure, finish?: RunEnd["finish"]): RunEnd {
  log.closeOpenCalls();
  return failedEnd(failure, log.facts().partialText, finish);
}

function unmetDemand(log: EventLog, demands: Demands): Failure | undefined {
  const { denials, sawObject } = log.facts();
  if (demands.failOnDenial === true && denials.length > 0) {
    return createFailure("tool-denied", `${demands.provider.label} was not allowed to use ${denials.join(", ")}.`);
  }
  if (demands.wantsObject === true && !sawObject) {
    return createFailure("schema-mismatch", `${demands.provider.label} answered without the requested structured output.`);
  }
  return undefined;
}

function estimate(log: EventLog, demands: Demands): Usage {
  const outputTokens = Math.ceil(log.facts().partialText.length / 4);
  const inputTokens = demands.promptLength === undefined ? undefined : Math.ceil(demands.promptLength / 4);
  return {
    ...(inputTokens !== undefined && { inputTokens, totalTokens: inputTokens + outputTokens }),
    outputTokens,
    estimated: true,
    scope: "turn",
  };
}
