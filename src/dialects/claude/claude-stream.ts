import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { PermissionAnswer } from "../../spec/stream.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { listOf, objectOf, stringOf } from "../kit/json-access.ts";
import type { MessageLane } from "../kit/message-lane.ts";
import { keepNative, stepAll } from "../kit/native-steps.ts";
import { claudeAnswer, claudeInput, claudeInterrupt, claudeNextInput } from "./claude-input.ts";
import { endTurn, giveUpWaiting, waitingStep } from "./claude-result.ts";
import { announceCall, type ClaudeState, completeCall, laneOf, startState } from "./claude-state.ts";
import { readStreamEvent } from "./claude-stream-event.ts";
import { readControlRequest, readSystem } from "./claude-system.ts";
import { readTextLine } from "./claude-text-line.ts";
import { parkUsage, readSpent } from "./claude-usage.ts";

/** Claude Code's stream-json wire, also used by Qwen Code and the official Grok CLI; docs/dialects/claude.md has the rules. */
export const claudeStream: SimpleWire = defineWire<ClaudeState>({
  input: claudeInput,
  nextInput: claudeNextInput,
  readLine: readTextLine,
  start: startState,
  step,
  answer: (state, requestId, answer) =>
    "behavior" in answer
      ? answerQuestion(state, requestId, answer)
      : { events: [], send: state.hostTools.answer(requestId, answer) },
  park: parkUsage,
  spent: { counts: "tokens", read: readSpent },
  interrupt: () => ({ events: [], send: claudeInterrupt() }),
  finish: giveUpWaiting,
});

/** The `result` line names a denied call again, and no line names the input that the host has changed. */
function answerQuestion(state: ClaudeState, requestId: string, answer: PermissionAnswer): WireStep {
  const { id, name = "", input = null } = state.questions.get(requestId) ?? {};
  state.questions.delete(requestId);
  const events: EventDraft[] = [];
  if (id !== undefined && answer.behavior === "deny") {
    state.denied.add(id);
    events.push({ type: "permission-denied", id, name, input });
  }
  if (id !== undefined && answer.behavior === "allow" && answer.updatedInput !== undefined)
    events.push({ type: "input-change", id, input: answer.updatedInput });
  return { events, send: [claudeAnswer(requestId, input, answer)] };
}

function step(state: ClaudeState, native: JsonValue): WireStep {
  // `--output-format json --verbose` prints all lines as one list (fixture json-format-verbose-text).
  if (Array.isArray(native)) return stepAll(native, (one) => step(state, one));
  const line = objectOf(native);
  if (line === undefined) return keepNative(native);
  switch (line["type"]) {
    case "stream_event":
      return endVoidCalls(state, readStreamEvent(state, line));
    case "assistant":
      return endVoidCalls(state, readAssistant(state, line));
    case "user":
      return readUser(state, line);
    case "result":
      return endTurn(state, line);
    case "system":
      return waitingStep(state, line, readSystem(state, line));
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

/** Later lines about a call that was reset are ignored. */
function endVoidCalls(state: ClaudeState, next: WireStep): WireStep {
  for (const event of next.events) {
    if (event.type !== "tool-reset") continue;
    state.calls.set(event.id, "void");
    state.hostTools.end(event.id);
  }
  return next;
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

function readBlock(
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
    if (state.calls.get(id) === "announced") completeCall(state, lane, { id, name, input: block["input"] ?? null }, events);
  }
}

function readUser(state: ClaudeState, line: JsonObject): WireStep {
  if (line["isReplay"] === true) return NO_STEP;
  const lane = laneOf(state, line);
  const events: EventDraft[] = [];
  const details = line["tool_use_result"];
  for (const entry of listOf(objectOf(line["message"])?.["content"])) {
    const block = objectOf(entry);
    const id = stringOf(block?.["tool_use_id"]);
    if (block?.["type"] !== "tool_result" || id === undefined || !state.calls.has(id)) continue;
    state.calls.set(id, "over");
    state.hostTools.end(id);
    if (lane === state.main) state.tasks.sawToolResult(id);
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
