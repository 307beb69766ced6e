import type { JsonObject } from "../../spec/json.ts";
import { parseJson } from "../../spec/text/parse-json.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { numberOf, objectOf, stringOf } from "../kit/json-access.ts";
import type { MessageLane } from "../kit/message-lane.ts";
import { addCounts, readMessageCounts } from "./claude-counts.ts";
import { announceCall, type ClaudeState, completeCall, laneOf } from "./claude-state.ts";

/** Reads a `stream_event` line: an event of the Messages API. */
export function readStreamEvent(state: ClaudeState, line: JsonObject): WireStep {
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
  state.messageUsage = objectOf(objectOf(event["message"])?.["usage"]) ?? {};
}

/** All calls of the message have come by now, and Claude Code runs or requests them next. */
function endMessage(state: ClaudeState, event: JsonObject): WireStep {
  state.isStreaming = false;
  const counts = readMessageCounts(state.messageUsage, objectOf(event["usage"]) ?? {});
  state.seen = state.seen === undefined ? counts : addCounts(state.seen, counts);
  const callsTools = objectOf(event["delta"])?.["stop_reason"] === "tool_use";
  return callsTools && state.hostTools.reportCalls() ? { events: [], awaitsResults: true } : NO_STEP;
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
  const progress = state.calls.get(id);
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
  const input = call === undefined || state.calls.get(call.id) !== "announced" ? undefined : parseJson(call.pieces.join(""));
  if (call !== undefined && input !== undefined) completeCall(state, lane, { id: call.id, name: call.name, input }, events);
}

function blockKey(lane: MessageLane, event: JsonObject): string {
  return `${lane.parentToolId ?? ""} ${numberOf(event["index"]) ?? 0}`;
}
