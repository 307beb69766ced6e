import { keepNative, serverUnavailable } from "../../dialects/kit/lines.ts";
import { defined, type JsonObject, type JsonValue, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, WireStep } from "../../spec/wire/wire.ts";
import { keepByteOrderMark } from "../shared/prompt-input.ts";
import { CopilotCalls } from "./calls.ts";
import { CopilotMessages } from "./messages.ts";

type State = {
  readonly main: CopilotMessages;
  readonly ofSubAgents: Map<string, CopilotMessages>;
  /** The tool call of each sub-agent; `assistant.message_start` names only the agent. */
  readonly callsOfAgents: Map<string, string>;
  readonly textCounts: Map<string, number>;
  readonly calls: CopilotCalls;
  readonly reasoned: Set<string>;
  readonly warned: Set<string>;
  model: string | undefined;
  /** The HTTP status of the last failed model request. */
  status: number | undefined;
  fault: Fault | undefined;
  /** The last main message that was completed, unless it was empty. */
  answerId: string | undefined;
  /** Copilot has printed that it is idle; `result` follows at once unless a background task is still open. */
  isIdle: boolean;
  readonly hasHostTools: boolean;
};

const IN_BACKGROUND = "a command or an agent in the background";

/** The JSON lines of `copilot --output-format json`; docs/dialects/copilot.md has the rules. */
export const copilotLines: SimpleWire = defineWire<State>({
  input: keepByteOrderMark,
  start({ nativeTools = [] }) {
    const textCounts = new Map<string, number>();
    return {
      main: new CopilotMessages(textCounts),
      ofSubAgents: new Map(),
      callsOfAgents: new Map(),
      textCounts,
      calls: new CopilotCalls(),
      reasoned: new Set(),
      warned: new Set(),
      model: undefined,
      status: undefined,
      fault: undefined,
      answerId: undefined,
      isIdle: false,
      hasHostTools: nativeTools.length > 0,
    };
  },
  step,
  finish({ fault, isIdle, answerId }, { exitCode, signal }) {
    if (isIdle && exitCode === undefined && signal === undefined) return stopWaiting(answerId, fault);
    if (fault === undefined || signal !== undefined || (exitCode ?? 0) === 0) return NO_STEP;
    return { events: [], turnEnd: { finish: "error", fault } };
  },
});

function step(state: State, native: JsonValue): WireStep {
  const line = objectOf(native);
  if (line === undefined) return keepNative(native);
  if (line["type"] === "result") return endTurn(state, line);
  const events: EventDraft[] = [];
  const type = stringOf(line["type"]) ?? "";
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read === undefined) return { events: [{ type: "native", value: line }] };
  const data = objectOf(line["data"]) ?? {};
  const wasIdle = state.isIdle;
  const messages = messagesOf(state, stringOf(line["agentId"]) ?? "", data);
  read({ state, messages, data, events });
  if (state.isIdle !== wasIdle) return { events, waitsFor: state.isIdle ? "work" : "nothing" };
  // The line has all calls of the message, and comes before the first of them runs.
  const awaitsResults = type === "assistant.message" && messages === state.main && listOf(data["toolRequests"]).length > 0;
  return { events, ...(state.hasHostTools && awaitsResults && { awaitsResults }) };
}

/** The process still runs and has printed no `result`: the answer is complete, and the run ends background work with the process. */
function stopWaiting(answerId: string | undefined, fault: Fault | undefined): WireStep {
  if (fault !== undefined) return { events: [], turnEnd: { finish: "error", fault } };
  const message = `The run ended before ${IN_BACKGROUND} was done.`;
  const turnEnd = { finish: "stop", ...(answerId !== undefined && { answerId }) } as const;
  return { events: [{ type: "warning", code: "background-unfinished", message }], turnEnd };
}

function messagesOf(state: State, agent: string, data: JsonObject): CopilotMessages {
  const parent = stringOf(data["parentToolCallId"]) ?? state.callsOfAgents.get(agent) ?? "";
  if (parent === "") return state.main;
  if (agent !== "") state.callsOfAgents.set(agent, parent);
  const known = state.ofSubAgents.get(parent);
  if (known !== undefined) return known;
  const messages = new CopilotMessages(state.textCounts, state.calls.idOf(parent));
  state.ofSubAgents.set(parent, messages);
  return messages;
}

type Line = {
  readonly state: State;
  readonly messages: CopilotMessages;
  readonly data: JsonObject;
  readonly events: EventDraft[];
};

const ignore = (): void => {};

const READERS: Readonly<Record<string, (line: Line) => void>> = {
  "assistant.message_start": ({ messages, data, events }) => messages.begin(stringOf(data["messageId"]) ?? "", events),
  "assistant.message_delta": ({ messages, data, events }) =>
    messages.add(stringOf(data["messageId"]) ?? "", stringOf(data["deltaContent"]) ?? "", events),
  "assistant.message": completeMessage,
  "assistant.reasoning_delta": ({ state, messages, data, events }) => {
    const reasoningId = stringOf(data["reasoningId"]) ?? "";
    state.reasoned.add(reasoningId);
    addReasoning(messages, reasoningId, data["deltaContent"], events);
  },
  "assistant.reasoning": ({ state, messages, data, events }) => {
    const reasoningId = stringOf(data["reasoningId"]) ?? "";
    if (!state.reasoned.has(reasoningId)) addReasoning(messages, reasoningId, data["content"], events);
  },
  "assistant.tool_call_delta": ({ state, messages, data, events }) => state.calls.addInput(data, messages.lane, events),
  "tool.execution_start": ({ state, messages, data, events }) => state.calls.complete(data, messages.lane, events),
  "tool.shell_output": ({ state, messages, data, events }) => state.calls.addOutput(data, messages.lane, events),
  "tool.execution_complete": ({ state, messages, data, events }) => state.calls.end(data, messages.lane, events),
  "model.call_start": ({ state }) => {
    state.status = undefined;
  },
  "model.call_failure": ({ state, data }) => {
    state.status = numberOf(data["statusCode"]);
  },
  "assistant.turn_start": ({ state, messages }) => {
    if (messages === state.main) state.isIdle = false;
    messages.startTurn();
  },
  "assistant.turn_end": ({ messages }) => messages.endTurn(),
  "assistant.turn_retry": retryTurn,
  "session.tools_updated": ({ state, data }) => {
    state.model = stringOf(data["model"]) ?? state.model;
  },
  "session.mcp_servers_loaded": warnOfServers,
  "session.warning": ({ state, data, events }) => {
    const message = stringOf(data["message"]) ?? "";
    if (message === "" || state.warned.has(message)) return;
    state.warned.add(message);
    events.push({ type: "warning", code: "cli-warning", message });
  },
  "session.error": ({ state, data }) => {
    state.fault = readFault(data);
  },
  "tool.execution_partial_result": ignore,
  "user.message": ignore,
  "assistant.idle": ({ state, messages }) => {
    state.isIdle ||= messages === state.main;
  },
  "model.call_finished": ignore,
  "model.call_final_result": ignore,
  "session.info": ignore,
  "session.skills_loaded": ignore,
  "session.background_tasks_changed": ignore,
  "session.mcp_server_status_changed": ignore,
  "session.mcp_server_tools_loaded": ignore,
};

function completeMessage({ state, messages, data, events }: Line): void {
  const answerId = messages.complete(stringOf(data["messageId"]) ?? "", stringOf(data["content"]) ?? "", events);
  if (messages === state.main) state.answerId = answerId;
  for (const request of listOf(data["toolRequests"])) state.calls.complete(objectOf(request) ?? {}, messages.lane, events);
}

function addReasoning({ lane }: CopilotMessages, messageId: string, value: JsonValue | undefined, events: EventDraft[]): void {
  const text = stringOf(value) ?? "";
  if (text !== "") events.push(lane.mark({ type: "reasoning-delta", messageId, text }));
}

/** The streamed text comes again under another message id. */
function retryTurn({ state, messages, data, events }: Line): void {
  const { status } = state;
  const reason = stringOf(data["reason"]);
  state.status = undefined;
  messages.retryTurn(events);
  events.push(
    messages.lane.mark({
      type: "upstream-retry",
      attempt: messages.retries,
      ...defined({ status, reason }),
    }),
  );
}

const QUIET_STATUSES: readonly string[] = ["connected", "disabled", "not_configured"];

function warnOfServers({ data, events }: Line): void {
  for (const entry of listOf(data["servers"])) {
    const { name, status } = objectOf(entry) ?? {};
    if (typeof status !== "string" || QUIET_STATUSES.includes(status)) continue;
    events.push(serverUnavailable(stringOf(name) ?? "", status));
  }
}

function readFault(data: JsonObject): Fault {
  const [kind, status] = [stringOf(data["errorType"]), numberOf(data["statusCode"])];
  const { errorType = null, message = null, statusCode = null } = data;
  return {
    message: stringOf(data["message"]) || "Copilot reported an error without a message.",
    ...defined({ kind, status }),
    event: { type: "session.error", data: { errorType, message, statusCode } },
  };
}

/** `exitCode` of the line decides whether the turn failed; the exit code of the process is ignored. */
function endTurn({ model, answerId, fault }: State, line: JsonObject): WireStep {
  const sessionId = stringOf(line["sessionId"]);
  const named = { type: "session-start", sessionId: sessionId ?? "", ...(model !== undefined && { model }) } as const;
  const events = sessionId === undefined ? [] : [named];
  if (line["exitCode"] === 0) return { events, turnEnd: { finish: "stop", ...(answerId !== undefined && { answerId }) } };
  const reported = fault ?? { message: `Copilot ended its turn with exit code ${JSON.stringify(line["exitCode"] ?? null)}.` };
  return { events, turnEnd: { finish: "error", fault: reported } };
}
