import { classifyEnding, classifyFault, type Ending } from "../failures/classify.ts";
import type { DroppedLine } from "../process/channel/native-reader.ts";
import { failedEnd } from "../run/ends.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { TurnEnd } from "../spec/wire/wire.ts";
import { failureOfDropped } from "./dropped-line.ts";
import type { EventLog } from "./event-log.ts";

/** What a successful attempt must satisfy. */
export type Demands = {
  readonly provider: Provider;
  /** The number of characters of the prompt, if it is known. */
  readonly promptLength?: number;
  readonly failOnDenial?: boolean;
  /** The first line that exceeded a limit and was dropped; it may have been the answer. */
  readonly missedLine?: DroppedLine | undefined;
};

/** The demands of a request. */
export function demandsOf(
  { provider, request }: { readonly provider: Provider; readonly request: PromptRequest },
  missedLine: DroppedLine | undefined,
): Demands {
  return {
    provider,
    promptLength: request.prompt.length + (request.system?.length ?? 0),
    failOnDenial: request.onPermissionDenied === "error",
    missedLine,
  };
}

/** The end of an attempt from the turn end that the CLI declared; `ending` is what is known of the process so far. */
export function concludeTurn(log: EventLog, turnEnd: TurnEnd, demands: Demands, ending: Ending): RunEnd {
  if (turnEnd.fault !== undefined)
    return concludeFailure(log, classifyFault(demands.provider, turnEnd.fault, ending), turnEnd.finish);
  const unmet = unmetDemand(log, demands);
  if (unmet !== undefined) return concludeFailure(log, unmet);
  const { finish, answerId } = turnEnd;
  if (answerId === undefined && demands.missedLine !== undefined)
    return concludeFailure(log, failureOfDropped(demands.provider.label, demands.missedLine));
  if (answerId !== undefined && log.facts().usage === undefined) log.add({ type: "usage", usage: estimate(log, demands) });
  log.closeOpenCalls();
  return { type: "run-end", finish, ...(answerId !== undefined && { answerId: log.answerId(answerId) }) };
}

/** The end of an attempt whose turn is parked with its calls. */
export function concludeCalls(log: EventLog, demands: Demands): RunEnd {
  if (log.facts().usage === undefined) log.add({ type: "usage", usage: estimate(log, demands) });
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
  const { denials } = log.facts();
  if (demands.failOnDenial === true && denials.length > 0) {
    return createFailure("tool-denied", `${demands.provider.label} was not allowed to use ${denials.join(", ")}.`);
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
