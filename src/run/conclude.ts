import { redactFailure } from "../failures/redact.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Finish, RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { Usage } from "../spec/usage.ts";
import type { TurnEnd } from "../spec/wire.ts";
import { classifyEnding, classifyFault, type Ending } from "./classify.ts";
import type { EventLog } from "./event-log.ts";

/** What the end of a run is judged by. */
export type Demands = {
  readonly provider: Provider;
  /** Characters of the prompt, where it is known. */
  readonly promptLength?: number;
  readonly wantsObject?: boolean;
  readonly failOnDenial?: boolean;
  /** A line was too long to be read; it may have been the answer. */
  readonly hasMissedLine?: boolean;
};

/** Ends the run as the CLI declared; the ending is what is known of the process by then. */
export function concludeTurn(log: EventLog, turnEnd: TurnEnd, demands: Demands, ending: Ending): void {
  if (turnEnd.fault !== undefined)
    return concludeFailure(log, classifyFault(demands.provider, turnEnd.fault, ending), turnEnd.finish);
  const unmet = unmetDemand(log, demands);
  if (unmet !== undefined) return concludeFailure(log, unmet);
  const { finish, answerId } = turnEnd;
  if (answerId === undefined && demands.hasMissedLine === true) {
    const message = `${demands.provider.label} printed a line over the length limit and no other answer.`;
    return concludeFailure(log, createFailure("output-truncated", message));
  }
  if (answerId !== undefined && !log.facts().sawUsage) log.add({ type: "usage", usage: estimate(log, demands) });
  end(log, { type: "run-end", finish, ...(answerId !== undefined && { answerId }) });
}

/** Ends the run because the process ended without declaring anything. */
export function concludeEnding(log: EventLog, demands: Demands, ending: Ending): void {
  concludeFailure(log, classifyEnding(demands.provider, ending));
}

/** The failure of a run that a clock ended. */
export function failureOfClock(provider: Provider, code: TimeoutCode, afterMs: number, { stderrTail }: Ending): Failure {
  const evidence = stderrTail === "" ? {} : { stderrTail };
  return createFailure(code, `${provider.label} ${CLOCK_WORDS[code]} after ${afterMs} ms.`, { evidence });
}

type TimeoutCode = "first-event-timeout" | "idle-timeout" | "total-timeout";

const CLOCK_WORDS: Readonly<Record<TimeoutCode, string>> = {
  "first-event-timeout": "printed nothing",
  "idle-timeout": "was silent",
  "total-timeout": "was not finished",
};

/** Ends the run with a failure; what was said so far goes along. */
export function concludeFailure(log: EventLog, failure: Failure, finish?: Finish): void {
  const { partialText } = log.facts();
  const clean = redactFailure(failure);
  const complete = partialText === "" ? clean : { ...clean, partialText };
  const ended = finish ?? (failure.category === "cancelled" ? "cancelled" : "error");
  end(log, { type: "run-end", finish: ended, failure: complete });
}

function end(log: EventLog, event: RunEnd): void {
  log.closeOpenCalls();
  log.stamp(event);
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
