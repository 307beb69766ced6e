import { type JsonObject, type JsonValue, listOf, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { keepNative, stepAll } from "../kit/lines.ts";
import type { MessageLane } from "../kit/message-lane.ts";
import { answerQuestion, readControlRequest } from "./claude-consent.ts";
import { claudeInput, claudeInterrupt, claudeNextInput, readTextLine } from "./claude-lines.ts";
import {
  announceCall,
  type ClaudeDifferences,
  type ClaudeState,
  type ClaudeToolResult,
  completeCall,
  endCall,
  isAnnounced,
  laneOf,
  startState,
  voidReset,
} from "./claude-state.ts";
import { endTurn, giveUpWaiting, readSystem, waitingStep } from "./claude-turn.ts";

/** Claude Code's stream-json wire for a CLI with these differences; docs/dialects/claude.md has the rules. */
export function claudeWire(differences: ClaudeDifferences): SimpleWire {
  return defineWire<ClaudeState>({
    input: differences.input ?? claudeInput,
    nextInput: differences.nextInput ?? claudeNextInput,
    readLine: readTextLine,
    start: (context) => startState(context, differences),
    step: stepClaude,
    answer: (state, requestId, answer) =>
      "behavior" in answer
        ? answerQuestion(state, requestId, answer)
        : { events: [], send: state.hostTools?.answer(requestId, answer) ?? [] },
    park: ({ usage }) => usage.messages.park(),
    spent: { counts: "tokens", read: ({ usage }) => usage.messages.report() },
    interrupt: () => ({ events: [], send: claudeInterrupt() }),
    finish: giveUpWaiting,
  });
}

/** The wire of Claude Code itself. */
export const claudeStream: SimpleWire = claudeWire({});

/** Reads a line of a turn. */
export function stepClaude(state: ClaudeState, native: JsonValue): WireStep {
  // `--output-format json --verbose` prints all lines as one list (fixture json-format-verbose-text).
  if (Array.isArray(native)) return stepAll(native, (one) => stepClaude(state, one));
  const line = objectOf(native);
  if (line === undefined) return keepNative(native);
  switch (line["type"]) {
    case "stream_event":
    case "assistant": {
      const next = line["type"] === "assistant" ? readAssistant(state, line) : readStreamEvent(state, line);
      voidReset(state, next.events);
      return next;
    }
    case "user":
      return readUser(state, line);
    case "result":
      return endTurn(state, line);
    case "system":
      return waitingStep(state, line, readSystem(state, state.differences.system?.(line) ?? line));
    case "control_request":
      return readControlRequest(state, line);
    case "tool_progress":
    case "keep_alive":
    // The answer to our own control line, which comes before the CLI begins to work.
    case "control_response":
    case "control_cancel_request":
      return { events: [], isHeartbeat: true };
    default:
      return { events: [{ type: "native", value: line }] };
  }
}

function readAssistant(state: ClaudeState, line: JsonObject): WireStep {
  if (line["isReplay"] === true) return NO_STEP;
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

/** Reads a block that the CLI prints as a whole. */
export function readBlock(
  state: ClaudeState,
  lane: MessageLane,
  part: { messageId: string; block: JsonObject },
  events: EventDraft[],
): void {
  const { messageId, block } = part;
  if (block["type"] === "text") lane.settleText(messageId, stringOf(block["text"]) ?? "", events);
  else if (block["type"] === "thinking") lane.settleReasoning(messageId, stringOf(block["thinking"]) ?? "", events);
  else if (block["type"] === "tool_use") {
    const [id, name] = [stringOf(block["id"]) ?? "", stringOf(block["name"]) ?? ""];
    lane.turnTo(messageId, events);
    announceCall(state, lane, id, name, events);
    if (isAnnounced(state, id)) completeCall(state, lane, { id, name, input: block["input"] ?? null }, events);
  }
}

function readUser(state: ClaudeState, line: JsonObject): WireStep {
  if (line["isReplay"] === true) return NO_STEP;
  const lane = laneOf(state, line);
  const events: EventDraft[] = [];
  for (const entry of listOf(objectOf(line["message"])?.["content"])) {
    const block = objectOf(entry) ?? {};
    const id = stringOf(block["tool_use_id"]);
    const call = id === undefined || block["type"] !== "tool_result" ? undefined : state.calls.get(id);
    if (id === undefined || call === undefined) continue;
    const wasComplete = call.state !== "announced";
    endCall(state, id, "over");
    if (lane === state.main) state.tasks.sawToolResult(id);
    const {
      output,
      isError,
      isDenied,
      details = line["tool_use_result"],
    } = (state.differences.toolResult ?? readToolResult)(block);
    const end = { type: "tool-end", id, output: readOutput(output), isError } as const;
    events.push(lane.mark(details === undefined ? end : { ...end, details }));
    if (isDenied === true && wasComplete) events.push({ type: "permission-denied", id, name: call.name, input: call.input });
  }
  return { events };
}

function readToolResult(block: JsonObject): ClaudeToolResult {
  return { output: block["content"] ?? null, isError: block["is_error"] === true };
}

function readOutput(content: JsonValue): JsonValue {
  if (!Array.isArray(content)) return content;
  const texts = content.map((entry) => (objectOf(entry)?.["type"] === "text" ? stringOf(objectOf(entry)?.["text"]) : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("\n") : content;
}

/** Reads a `stream_event` line: an event of the Messages API. */
function readStreamEvent(state: ClaudeState, line: JsonObject): WireStep {
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
      if (lane === state.main) beginMessage(state, event);
      break;
    case "message_delta":
      return lane === state.main ? endMessage(state, event) : NO_STEP;
    case "message_stop": {
      const abandoned = objectOf(line["abandoned_blocks"]);
      if (abandoned !== undefined) lane.abandonFrom(numberOf(abandoned["from_block_index"]) ?? 0);
      break;
    }
    default:
      return NO_STEP;
  }
  return { events };
}

function beginMessage(state: ClaudeState, event: JsonObject): void {
  state.isStreaming = true;
  state.usage.beginMessage(event);
}

/** All calls of the message have come by now, and Claude Code runs or requests them next. */
function endMessage(state: ClaudeState, event: JsonObject): WireStep {
  state.isStreaming = false;
  state.usage.endMessage(event);
  const callsTools = objectOf(event["delta"])?.["stop_reason"] === "tool_use";
  return callsTools && state.hostTools?.reportCalls() === true ? { events: [], awaitsResults: true } : NO_STEP;
}

function readDelta(state: ClaudeState, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
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
      if (call === undefined || piece === "" || isEnded(state, call.id)) break;
      call.pieces.push(piece);
      events.push(lane.mark({ type: "tool-input-delta", id: call.id, delta: piece }));
      break;
    }
  }
}

/** True for a call that has its result or was reset. */
function isEnded(state: ClaudeState, id: string): boolean {
  const progress = state.calls.get(id)?.state;
  return progress === "over" || progress === "void";
}

function startBlock(state: ClaudeState, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
  const block = objectOf(event["content_block"]);
  const index = numberOf(event["index"]) ?? 0;
  if (block?.["type"] !== "tool_use") return lane.beginBlock(index);
  const [id, name] = [stringOf(block["id"]) ?? "", stringOf(block["name"]) ?? ""];
  state.inputs.set(blockKey(lane, event), { id, name, pieces: [] });
  lane.beginBlock(index, id);
  announceCall(state, lane, id, name, events);
}

/** The whole input was streamed and no `assistant` line has given it. */
function completeStreamedCall(state: ClaudeState, lane: MessageLane, event: JsonObject, events: EventDraft[]): void {
  const call = state.inputs.get(blockKey(lane, event));
  state.inputs.delete(blockKey(lane, event));
  const input = call === undefined || !isAnnounced(state, call.id) ? undefined : parseJson(call.pieces.join(""));
  if (call !== undefined && input !== undefined) completeCall(state, lane, { id: call.id, name: call.name, input }, events);
}

function blockKey(lane: MessageLane, event: JsonObject): string {
  return `${lane.parentToolId ?? ""} ${numberOf(event["index"]) ?? 0}`;
}
