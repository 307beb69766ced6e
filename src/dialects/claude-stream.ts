import { type Dialect, type DialectContext, type DialectStep, defineDialect, NO_STEP } from "../spec/dialect.ts";
import type { EventDraft } from "../spec/events.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { readResult } from "./claude-result.ts";
import { readControlRequest, readSystem, type SessionState, startSession } from "./claude-system.ts";
import { listOf, numberOf, objectOf, parseJson, stringOf } from "./json-access.ts";
import { MessageLane } from "./message-lane.ts";

type State = SessionState & {
  readonly blocksSaid: Map<string, number>;
  readonly main: MessageLane;
  readonly lanes: Map<string, MessageLane>;
  /** How far each call has come. */
  readonly calls: Map<string, "announced" | "complete" | "over">;
  /** The call whose input is being streamed, by lane and block index. */
  readonly inputs: Map<string, { readonly id: string; readonly name: string; readonly pieces: string[] }>;
  readonly context: DialectContext;
  errorWord: string | undefined;
};

/** The stream-json language of Claude Code, also printed by Qwen Code and the official Grok CLI; docs/dialects/claude.md is its law. */
export const claudeStream: Dialect = defineDialect<State>({ start, step });

function start(context: DialectContext): State {
  const blocksSaid = new Map<string, number>();
  return {
    blocksSaid,
    main: new MessageLane(blocksSaid),
    lanes: new Map(),
    calls: new Map(),
    inputs: new Map(),
    context,
    sessionSeen: false,
    errorWord: undefined,
  };
}

function step(state: State, native: JsonValue): DialectStep {
  if (Array.isArray(native)) return stepAll(state, native);
  const line = objectOf(native);
  if (line === undefined)
    return { events: [{ type: "native", text: typeof native === "string" ? native : JSON.stringify(native) }] };
  switch (line["type"]) {
    case "stream_event":
      return readStreamEvent(state, line);
    case "assistant":
      return readAssistant(state, line);
    case "user":
      return readUser(state, line);
    case "result":
      return endTurn(state, line);
    case "system":
      return readSystem(state, line);
    case "control_request":
      return readControlRequest(line);
    case "control_response":
    case "control_cancel_request":
      return NO_STEP;
    default:
      return { events: [{ type: "native", value: line }] };
  }
}

/** `--output-format json --verbose` prints all lines as one list (fixture json-format-verbose-text). */
function stepAll(state: State, natives: readonly JsonValue[]): DialectStep {
  const events: EventDraft[] = [];
  for (const native of natives) {
    const next = step(state, native);
    events.push(...next.events);
    if (next.turnEnd !== undefined) return { events, turnEnd: next.turnEnd };
  }
  return { events };
}

function laneOf(state: State, line: JsonObject): MessageLane {
  const parent = line["parent_tool_use_id"];
  if (typeof parent !== "string" || parent === "") return state.main;
  const known = state.lanes.get(parent);
  if (known !== undefined) return known;
  const lane = new MessageLane(state.blocksSaid, parent);
  state.lanes.set(parent, lane);
  return lane;
}

function readStreamEvent(state: State, line: JsonObject): DialectStep {
  const event = objectOf(line["event"]);
  if (event === undefined) return { events: [{ type: "native", value: line }] };
  const lane = laneOf(state, line);
  const events: EventDraft[] = [];
  switch (event["type"]) {
    case "content_block_delta":
      readDelta(state, lane, event, events);
      break;
    case "content_block_start":
      startBlock(state, lane, event, events);
      break;
    case "content_block_stop":
      lane.endText(events);
      completeStreamedCall(state, lane, event, events);
      break;
    case "message_start":
      lane.beginMessage(stringOf(objectOf(event["message"])?.["id"]) ?? "", events);
      break;
    default:
      return NO_STEP;
  }
  return { events };
}

function readDelta(state: State, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
  const delta = objectOf(event["delta"]);
  switch (delta?.["type"]) {
    case "text_delta":
      lane.addText(stringOf(delta["text"]) ?? "", events);
      break;
    case "thinking_delta":
      lane.addReasoning(stringOf(delta["thinking"]) ?? "", events);
      break;
    case "input_json_delta": {
      const call = state.inputs.get(blockKey(lane, event));
      const piece = stringOf(delta["partial_json"]) ?? "";
      if (call === undefined || piece === "" || state.calls.get(call.id) === "over") break;
      call.pieces.push(piece);
      events.push(lane.mark({ type: "tool-input-delta", id: call.id, delta: piece }));
      break;
    }
  }
}

function startBlock(state: State, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
  const block = objectOf(event["content_block"]);
  if (block?.["type"] !== "tool_use") return;
  const [id, name] = [stringOf(block["id"]) ?? "", stringOf(block["name"]) ?? ""];
  state.inputs.set(blockKey(lane, event), { id, name, pieces: [] });
  announceCall(state, lane, id, name, events);
}

/** The input was streamed to its end and no `assistant` line has given it whole. */
function completeStreamedCall(state: State, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
  const call = state.inputs.get(blockKey(lane, event));
  state.inputs.delete(blockKey(lane, event));
  const input = call === undefined || state.calls.get(call.id) !== "announced" ? undefined : parseJson(call.pieces.join(""));
  if (call !== undefined && input !== undefined) completeCall(state, lane, { id: call.id, name: call.name, input }, events);
}

function completeCall(
  state: State,
  lane: MessageLane,
  call: { id: string; name: string; input: JsonValue },
  events: EventDraft[],
): void {
  state.calls.set(call.id, "complete");
  events.push(lane.mark({ type: "tool-call", ...call, executor: "cli" }));
}

function blockKey(lane: MessageLane, event: JsonObject): string {
  return `${lane.parentToolId ?? ""} ${numberOf(event["index"]) ?? 0}`;
}

function announceCall(state: State, lane: MessageLane, id: string, name: string, events: EventDraft[]): void {
  if (state.calls.has(id)) return;
  state.calls.set(id, "announced");
  events.push(lane.mark({ type: "tool-start", id, name }));
}

function readAssistant(state: State, line: JsonObject): DialectStep {
  const message = objectOf(line["message"]);
  const error = stringOf(line["error"]);
  const lane = laneOf(state, line);
  const isSynthetic = error !== undefined || message?.["model"] === "<synthetic>";
  if (lane === state.main) state.errorWord = isSynthetic ? (error ?? state.errorWord) : undefined;
  if (isSynthetic) return NO_STEP;
  const events: EventDraft[] = [];
  const messageId = stringOf(message?.["id"]) ?? "";
  for (const entry of listOf(message?.["content"])) readBlock(state, lane, { messageId, block: objectOf(entry) ?? {} }, events);
  return { events };
}

function readBlock(state: State, lane: MessageLane, said: { messageId: string; block: JsonObject }, events: EventDraft[]): void {
  const { messageId, block } = said;
  if (block["type"] === "text") lane.settleText(messageId, stringOf(block["text"]) ?? "", events);
  else if (block["type"] === "thinking") lane.settleReasoning(messageId, stringOf(block["thinking"]) ?? "", events);
  else if (block["type"] === "tool_use") {
    const [id, name] = [stringOf(block["id"]) ?? "", stringOf(block["name"]) ?? ""];
    announceCall(state, lane, id, name, events);
    if (state.calls.get(id) === "announced") completeCall(state, lane, { id, name, input: block["input"] ?? null }, events);
  }
}

function readUser(state: State, line: JsonObject): DialectStep {
  if (line["isReplay"] === true) return NO_STEP;
  const lane = laneOf(state, line);
  const events: EventDraft[] = [];
  const details = line["tool_use_result"];
  for (const entry of listOf(objectOf(line["message"])?.["content"])) {
    const block = objectOf(entry);
    const id = stringOf(block?.["tool_use_id"]);
    if (block?.["type"] !== "tool_result" || id === undefined || !state.calls.has(id)) continue;
    state.calls.set(id, "over");
    const end = { type: "tool-end", id, output: readOutput(block["content"]), isError: block["is_error"] === true } as const;
    events.push(lane.mark(details === undefined ? end : { ...end, details }));
  }
  return { events };
}

function readOutput(content: JsonValue | undefined): JsonValue {
  if (!Array.isArray(content)) return content ?? null;
  const texts = content.map((entry) => (objectOf(entry)?.["type"] === "text" ? stringOf(objectOf(entry)?.["text"]) : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("\n") : content;
}

function endTurn(state: State, line: JsonObject): DialectStep {
  const events = startSession(state, line);
  const turnEnd = readResult(line, state, events);
  return { events, turnEnd };
}
