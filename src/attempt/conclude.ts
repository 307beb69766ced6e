import { classifyEnding, classifyFault, type Ending } from "../failures/classify.ts";
import { redact } from "../failures/redact.ts";
import type { ClockTimes, ExpiredClock } from "../process/channel/clocks.ts";
import type { DroppedLine } from "../process/channel/native-reader.ts";
import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { RunHost } from "../run/open-run.ts";
import { failedEnd, type TotalTime } from "../run/part.ts";
import type { PartTrace } from "../run/run-writer.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import { didYouMean } from "../spec/fields.ts";
import { DEEPEST_JSON } from "../spec/json.ts";
import { readVariable } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { EventDraft, RunEnd } from "../spec/wire/events.ts";
import { estimateTokens, estimateUsage, type Usage } from "../spec/wire/usage.ts";
import type { TurnEnd, Unanswered } from "../spec/wire/wire.ts";
import type { EventLog } from "./event-log.ts";

type Demands = {
  readonly provider: Provider;
  /** In characters; undefined if it is not known. */
  readonly promptLength?: number;
  readonly failOnDenial?: boolean;
  /** The first line that exceeded a limit and was dropped; it may have been the answer. */
  readonly missedLine?: DroppedLine | undefined;
};

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

function failureOfClock(provider: Provider, code: TimeoutCode, afterMs: number, { stderrTail }: Ending): Failure {
  const evidence = stderrTail === "" ? {} : { stderrTail };
  return createFailure(code, `${provider.label} ${CLOCK_WORDS[code]} after ${toSeconds(afterMs)}.`, { evidence });
}

/** The failure of a run whose output did not fit on the disk. */
function failureOfCut(provider: Provider, { stderrTail }: Ending): Failure {
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
  const { promptLength } = demands;
  return estimateUsage(log.facts().partialText, promptLength === undefined ? undefined : estimateTokens(promptLength));
}

type Ended = {
  readonly host: Pick<RunHost, "explainUnknownOption">;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: { readonly total?: TotalTime; readonly writer: { readonly trace: PartTrace } };
};

/** The failure of a process that ended without a turn end; a promise if the program must be asked about a rejected flag. */
export function explainEnding(
  { provider, host }: Ended,
  ending: Ending & Waiting & { readonly isCut?: boolean; readonly missedLine?: DroppedLine | undefined },
): Failure | Promise<Failure> {
  if (ending.isCut === true) return failureOfCut(provider, ending);
  const failure = classifyEnding(provider, ending);
  const { missedLine } = ending;
  if (failure.code === "no-terminal-event")
    return missedLine === undefined ? withUnanswered(failure, ending) : failureOfDropped(provider.label, missedLine);
  return failure.code === "unknown-option" ? host.explainUnknownOption(failure, provider).catch(() => failure) : failure;
}

/** The failure of a timeout. It names the run's total timeout, although its clock had only the time that earlier attempts left. */
export function explainExpiry(
  ended: Ended,
  { code, afterMs }: ExpiredClock,
  ending: Ending & Waiting,
  partialText: string,
): Failure {
  const { provider, request, context } = ended;
  const ms = code === "total-timeout" ? (request.timeouts?.totalMs ?? afterMs) : afterMs;
  const failure = withUnanswered(failureOfClock(provider, code === "background" ? "idle-timeout" : code, ms, ending), ending);
  return partialText === "" && isUntouched(context.writer.trace) ? withServers(failure, request) : failure;
}

/** What the CLI has not answered when its turn ends. */
type Waiting = { readonly unanswered?: Unanswered | undefined };

const LONGEST_LINE = 200;

/** The line is redacted before it is cut, because nothing would find a secret that is cut. */
function withUnanswered(failure: Failure, { unanswered, secrets }: Ending & Waiting): Failure {
  if (unanswered === undefined) return failure;
  const line = redact(unanswered.line ?? "", secrets?.()).slice(0, LONGEST_LINE);
  const printed = line === "" ? "" : ` Its first line is no message of the protocol: ${JSON.stringify(line)}.`;
  const message = `${failure.message} It has not answered ${unanswered.request}.${printed}`;
  return { ...failure, message, hint: unanswered.hint };
}

/** True if the model has not answered yet, as far as the events show. */
function isUntouched({ hasShown, hasActed, upstreamRetries }: PartTrace): boolean {
  return !hasShown && !hasActed && upstreamRetries === 0;
}

/** CLIs ask the model after their MCP servers have answered. Claude Code, Qwen Code and OpenCode print nothing before, Copilot a few lines. */
function withServers(failure: Failure, { mcpServers = {}, hostServer }: PromptRequest): Failure {
  const names = Object.keys(mcpServers).filter((name) => name !== hostServer);
  if (names.length === 0) return failure;
  const servers = `the MCP server${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  const hint = `Check that ${servers} can be started and answer${names.length > 1 ? "" : "s"}, or raise timeouts.${CLOCKS[failure.code] ?? "totalMs"}.`;
  return { ...failure, message: `${failure.message} It may be waiting for ${servers}.`, hint };
}

const CLOCKS: Readonly<Record<string, string>> = { "first-event-timeout": "firstEventMs", "idle-timeout": "idleMs" };

/** The timeouts of a turn. A total time that the request does not set leaves out the time of host tools, as between attempts by text. */
export function timeoutsOf({ provider, request, context: { total } }: Ended): ClockTimes {
  const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
  if (total === undefined) return { ...timeouts, isTotalStoppable: true };
  return { ...timeouts, totalMs: Math.max(1, Math.round(total.leftMs())) };
}

export type Attempted = {
  readonly provider: Provider;
  readonly target: Target;
  readonly request: Pick<PromptRequest, "env" | "auth">;
  readonly env: Surroundings;
};

/** The end of an attempt with the advice that needs more than the CLI's words: the API key that was used, the model that was meant. */
export function withAdvice(end: RunEnd, attempted: Attempted): RunEnd {
  const { failure } = end;
  if (failure?.code === "not-logged-in") return { ...end, failure: blameKey(failure, attempted) };
  if (failure?.code === "model-unknown") return { ...end, failure: suggestModel(failure, attempted) };
  return end;
}

/** A login does not help while the CLI uses a key of the environment, so the advice names the variable. */
function blameKey(failure: Failure, attempted: Attempted): Failure {
  const { label, login, loginStatus = {} } = attempted.provider;
  const keys = usedKeys(attempted);
  if (keys.length === 0) return failure;
  const first = loginStatus === "not-needed" ? [] : (loginStatus.keysFirst ?? []);
  const isFirst = login !== undefined && keys.every((name) => first.includes(name));
  const instead = isFirst
    ? `, or unset it: ${label} uses it before your login.`
    : login === undefined
      ? "."
      : ", or unset it and log in.";
  const { fixCommand: _, fixFrom: __, ...rest } = failure;
  const hint = `The environment has ${keys.join(" and ")}. Correct that key${instead}`;
  return { ...rest, hint, ...(isFirst && { fixCommand: `unset ${keys.join(" ")}` }) };
}

/** The variables with the keys that the CLI used: those that are its login, or the API keys for an address that is its login. */
function usedKeys({ provider, request, env }: Attempted): readonly string[] {
  const { loginStatus = {} } = provider;
  const { apiKeys, strip } = provider.env;
  if (loginStatus === "not-needed" || request.auth === "subscription") return [];
  const surroundings = { ...env, ...request.env };
  const isSet = (name: string): boolean => Boolean(readVariable(surroundings, name)) && !strip.includes(name);
  const login = (loginStatus.env ?? apiKeys).filter(isSet);
  const keys = login.filter((name) => !name.endsWith("_URL"));
  return login.length > 0 && keys.length === 0 ? apiKeys.filter(isSet) : keys;
}

function suggestModel(failure: Failure, { provider, target }: Attempted): Failure {
  const suggestion = target.model === undefined ? "" : didYouMean(target.model, provider.models);
  return suggestion === "" ? failure : { ...failure, hint: `${suggestion} ${failure.hint}` };
}

export function warnOfDropped(line: DroppedLine): EventDraft {
  const code = line.limit === "length" ? "line-too-long" : "line-too-deep";
  return { type: "warning", code, message: `A line of ${line.bytes} bytes was dropped, because ${limitOf(line)}.` };
}

/** The failure of an attempt without an answer whose dropped line may have been the answer; another attempt would print it again. */
function failureOfDropped(label: string, line: DroppedLine): Failure {
  const message = `${label} printed a line of ${line.bytes} bytes and no other answer. The line was dropped, because ${limitOf(line)}.`;
  const hint = "Raise limits.lineBytes of createClient, or ask for a shorter answer.";
  return createFailure("output-truncated", message, line.limit === "length" ? { hint } : {});
}

function limitOf(line: DroppedLine): string {
  if (line.limit === "length") return `the limit is ${line.lineBytes} bytes (limits.lineBytes)`;
  return `its JSON has more than ${DEEPEST_JSON} levels`;
}
