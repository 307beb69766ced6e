import { keepNative } from "../../dialects/kit/lines.ts";
import { MessageLane } from "../../dialects/kit/message-lane.ts";
import { amountOf, defined, type JsonObject, type JsonValue, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import { defineWire, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft, Finish } from "../../spec/wire/events.ts";
import { addUsage, type Usage } from "../../spec/wire/usage.ts";
import type { ExitReport, Fault, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { keepByteOrderMark } from "../shared/prompt-input.ts";
import { readOpencodeTool } from "./tool.ts";

type State = {
  readonly isAgent: boolean;
  readonly lane: MessageLane;
  /** The tokens and the cost of the steps so far; a count that a step does not report is zero. */
  usage: Usage | undefined;
  costUsd: number;
  message: string;
  sessionSeen: boolean;
  printed: boolean;
  /** The last `error` line, unless a step began after it. */
  fault: Fault | undefined;
  /** Why the last step ended; undefined while it is open. */
  reason: string | undefined;
  /** The last text of the last step. */
  answerId: string | undefined;
  /** Whether a call of the last step was rejected. */
  rejected: boolean;
  retries: number;
};

/** The JSON lines of `opencode run --format json`; docs/dialects/opencode.md has the rules. */
export const opencodeRun: SimpleWire = defineWire<State>({
  input: keepByteOrderMark,
  start: ({ permissionMode }) => ({
    isAgent: permissionMode !== undefined,
    lane: new MessageLane(new Map()),
    usage: undefined,
    costUsd: 0,
    message: "",
    sessionSeen: false,
    printed: false,
    fault: undefined,
    reason: undefined,
    answerId: undefined,
    rejected: false,
    retries: 0,
  }),
  step,
  spent: { counts: "cost", read: reportUsage },
  finish(state, exit) {
    const turnEnd = endOf(state, exit);
    const report = reportUsage(state);
    return { events: report === undefined ? [] : [report], ...(turnEnd !== undefined && { turnEnd }) };
  },
});

function step(state: State, native: JsonValue): WireStep {
  state.printed = true;
  const line = objectOf(native);
  if (line === undefined) return keepNative(native);
  const events: EventDraft[] = [];
  startSession(state, line, events);
  readLine(state, line, events);
  return { events, ...(line["type"] === "step_finish" && state.reason === "tool-calls" && { asksAgain: true }) };
}

function startSession(state: State, line: JsonObject, events: EventDraft[]): void {
  const sessionId = stringOf(line["sessionID"]);
  if (sessionId === undefined || state.sessionSeen) return;
  state.sessionSeen = true;
  events.push({ type: "session-start", sessionId });
}

function readLine(state: State, line: JsonObject, events: EventDraft[]): void {
  const part = objectOf(line["part"]) ?? {};
  switch (line["type"]) {
    case "step_start":
      return startStep(state, part, events);
    case "text":
      return sayText(state, part, events);
    case "reasoning":
      return sayReasoning(part, events);
    case "tool_use":
      return readTool(state, part, events);
    case "step_finish":
      return finishStep(state, part, events);
    case "error":
      state.fault = readOpencodeFault(line);
      return;
    default:
      events.push({ type: "native", value: line });
  }
}

/** OpenCode may continue after an error, and it retries after a cut: text that had not ended is void. */
function startStep(state: State, part: JsonObject, events: EventDraft[]): void {
  state.fault = undefined;
  state.reason = undefined;
  state.answerId = undefined;
  state.rejected = false;
  turnTo(state, stringOf(part["messageID"]) ?? "", events);
}

function turnTo(state: State, message: string, events: EventDraft[]): void {
  state.message = message;
  state.lane.beginMessage(message, events);
}

function sayText(state: State, part: JsonObject, events: EventDraft[]): void {
  const [message, text] = [stringOf(part["messageID"]) ?? "", stringOf(part["text"]) ?? ""];
  if (text === "") return;
  if (message !== state.message) {
    state.lane.endText(events);
    turnTo(state, message, events);
  }
  state.lane.addText(text, events);
  state.answerId = state.lane.last?.id;
}

function sayReasoning(part: JsonObject, events: EventDraft[]): void {
  const text = stringOf(part["text"]) ?? "";
  if (text !== "") events.push({ type: "reasoning-delta", messageId: stringOf(part["messageID"]) ?? "", text });
}

/** OpenCode prints a call once, after it has ended. */
function readTool(state: State, part: JsonObject, events: EventDraft[]): void {
  state.lane.endText(events);
  const { id, name, input, isRejected, denied, ...outcome } = readOpencodeTool(part);
  state.rejected ||= isRejected;
  events.push({ type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" });
  if (isRejected) events.push({ type: "permission-denied", id, name, input });
  if (state.isAgent && denied !== undefined) events.push({ type: "permission-denied", id, name: denied, input: null });
  events.push({ type: "tool-end", id, ...outcome });
}

function finishStep(state: State, part: JsonObject, events: EventDraft[]): void {
  state.lane.endText(events);
  addUsageOf(state, part);
  state.reason = stringOf(part["reason"]) ?? "unknown";
  if (state.reason !== "unknown") return;
  state.retries += 1;
  events.push({ type: "upstream-retry", attempt: state.retries, reason: "unknown" });
}

function addUsageOf(state: State, part: JsonObject): void {
  const tokens = objectOf(part["tokens"]) ?? {};
  const cache = objectOf(tokens["cache"]) ?? {};
  const names = [tokens["input"], tokens["output"], cache["read"], cache["write"], tokens["reasoning"]];
  const [input = 0, output = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0] = names.map(amountOf);
  const [inputTokens, outputTokens] = [input + cacheReadTokens + cacheWriteTokens, output + reasoningTokens];
  const counts = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cacheReadTokens, cacheWriteTokens };
  state.usage = addUsage(state.usage, { ...counts, reasoningTokens, estimated: false, scope: "turn" });
  state.costUsd += amountOf(part["cost"]) ?? 0;
}

/** The usage, if any step reported counts; OpenCode prints an unknown cost as zero. */
function reportUsage({ usage, ...state }: State): Extract<EventDraft, { type: "usage" }> | undefined {
  const isCounted = usage !== undefined && (usage.inputTokens !== 0 || usage.outputTokens !== 0);
  // Removes the rounding errors of sums of decimal fractions.
  const costUsd = Number(state.costUsd.toFixed(10));
  if (!isCounted && costUsd === 0) return undefined;
  return { type: "usage", usage: isCounted ? usage : { estimated: false, scope: "turn" }, ...(costUsd !== 0 && { costUsd }) };
}

/** No line ends the turn: the last lines decide, and the exit code only if they leave the result open. */
function endOf(state: State, { exitCode, signal }: ExitReport): TurnEnd | undefined {
  const { fault, reason } = state;
  if (fault !== undefined) return { finish: finishOf(fault), fault };
  if (reason !== undefined && reason !== "tool-calls" && reason !== "unknown") return endWith(state, reason);
  if (signal !== undefined || exitCode !== 0) return undefined;
  if (state.rejected && reason !== undefined) return END_OF_REJECTED;
  return state.printed ? END_OF_TRUNCATED : undefined;
}

function finishOf({ kind }: Fault): Finish {
  if (kind === "MessageOutputLengthError") return "length";
  return kind === "MessageAbortedError" ? "cancelled" : "error";
}

function endWith({ answerId }: State, reason: string): TurnEnd {
  if (reason === "error")
    return { finish: "error", fault: { kind: "error", message: "The model ended its step with an error." } };
  const finish = reason === "length" || reason === "content-filter" ? reason : "stop";
  return { finish, ...(answerId !== undefined && { answerId }) };
}

const END_OF_REJECTED: TurnEnd = {
  finish: "error",
  fault: { kind: "permission-rejected", message: "OpenCode stopped because a tool call was not allowed." },
};

/** OpenCode may lose the end of its stdout and exit with 0 (fixture huge-output). */
const END_OF_TRUNCATED: TurnEnd = {
  finish: "length",
  fault: { kind: "cut-off", message: "The output of OpenCode ended before its last step was finished." },
};

/** Reads an `error` line: the error of the service behind OpenCode if there is one, otherwise OpenCode's own. */
export function readOpencodeFault(line: JsonObject): Fault {
  const error = objectOf(line["error"]) ?? {};
  const data = objectOf(error["data"]) ?? {};
  const name = stringOf(error["name"]) ?? "error";
  const status = numberOf(data["statusCode"]);
  const retryAfterMs = readRetryAfter(objectOf(data["responseHeaders"]) ?? {}, numberOf(line["timestamp"]));
  return {
    message: stringOf(data["message"]) || name,
    kind: codeOf(data) ?? name,
    ...defined({ status, retryAfterMs }),
    event: { type: "error", error: { name, data: keptData(data) } },
  };
}

function codeOf(data: JsonObject): string | undefined {
  const body = objectOf(parseJson(stringOf(data["responseBody"]) ?? ""));
  return stringOf(objectOf(body?.["error"])?.["code"]);
}

/** `retry-after` is a number of seconds or a date; the line has the time at which it was printed. */
function readRetryAfter(headers: JsonObject, printedAt = Number.NaN): number | undefined {
  const given = stringOf(headers["retry-after"]) ?? "";
  const waits = [
    Number(stringOf(headers["retry-after-ms"]) || Number.NaN),
    Number(given || Number.NaN) * 1000,
    Date.parse(given) - printedAt,
  ];
  return waits.find((wait) => wait >= 0 && Number.isFinite(wait));
}

/** Headers and addresses do not describe the error. */
function keptData(data: JsonObject): JsonObject {
  const kept = ["message", "statusCode", "isRetryable", "responseBody", "ref", "providerID"];
  return Object.fromEntries(Object.entries(data).filter(([key]) => kept.includes(key)));
}
