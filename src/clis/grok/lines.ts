import { type JsonObject, type JsonValue, stringOf } from "../../spec/json.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { endByError, endByStopReason, readGrokUsage } from "./end.ts";
import { readGrokUpdate } from "./tool-result.ts";

export type GrokLinesState = {
  messages: number;
  /** The message that text and thoughts belong to. */
  open: { readonly id: string; hasText: boolean } | undefined;
  /** The last message with text. */
  answerId: string | undefined;
  reachedTurnLimit: boolean;
  readonly calls: Map<string, { readonly name: string; readonly input: JsonValue; isOver: boolean }>;
};

export function startGrokLines(): GrokLinesState {
  return { messages: 0, open: undefined, answerId: undefined, reachedTurnLimit: false, calls: new Map() };
}

/** Reads a line of `--output-format streaming-json`; undefined for a line of another kind. */
export function stepGrokLine(state: GrokLinesState, line: JsonObject): WireStep | undefined {
  switch (line["type"]) {
    case "text":
    case "thought":
      return { events: addText(state, line["type"] === "text", stringOf(line["data"]) ?? "") };
    case "usage":
      return { events: endMessage(state) };
    case "tool_call":
      return { events: [...endMessage(state), ...startCall(state, line)] };
    case "tool_call_update":
      return { events: endCall(state, line) };
    case "max_turns_reached":
      state.reachedTurnLimit = true;
      return NO_STEP;
    case "end":
      return endTurn(state, line);
    case "error":
      return { events: readGrokUsage(line), turnEnd: endByError(line) };
    default:
      return /^(?:available_commands|plan|auto_compact_\w+)$/.test(stringOf(line["type"]) ?? "") ? NO_STEP : undefined;
  }
}

function addText(state: GrokLinesState, isText: boolean, text: string): readonly EventDraft[] {
  if (text === "") return [];
  state.open ??= { id: `message-${++state.messages}`, hasText: false };
  const { id: messageId } = state.open;
  if (!isText) return [{ type: "reasoning-delta", messageId, text }];
  state.open.hasText = true;
  state.answerId = messageId;
  return [{ type: "text-delta", messageId, text }];
}

function endMessage(state: GrokLinesState): readonly EventDraft[] {
  const { open } = state;
  state.open = undefined;
  return open?.hasText === true ? [{ type: "text-end", messageId: open.id }] : [];
}

function startCall(state: GrokLinesState, line: JsonObject): readonly EventDraft[] {
  const id = stringOf(line["toolCallId"]) ?? "";
  if (state.calls.has(id)) return [];
  const [name, input] = [stringOf(line["toolName"]) ?? "", line["rawInput"] ?? null];
  state.calls.set(id, { name, input, isOver: false });
  return [
    { type: "tool-start", id, name },
    { type: "tool-call", id, name, input, executor: "cli" },
  ];
}

function endCall(state: GrokLinesState, line: JsonObject): readonly EventDraft[] {
  const id = stringOf(line["toolCallId"]) ?? "";
  const call = state.calls.get(id);
  if (call === undefined || call.isOver || (line["status"] !== "completed" && line["status"] !== "failed")) return [];
  call.isOver = true;
  const { isDenied, ...result } = readGrokUpdate(line);
  const { name, input } = call;
  return [{ type: "tool-end", id, ...result }, ...(isDenied ? [{ type: "permission-denied", id, name, input } as const] : [])];
}

function endTurn(state: GrokLinesState, line: JsonObject): WireStep {
  const sessionId = stringOf(line["sessionId"]) ?? "";
  const events: readonly EventDraft[] = [
    ...endMessage(state),
    ...(sessionId === "" ? [] : [{ type: "session-start", sessionId } as const]),
    ...readGrokUsage(line),
  ];
  return { events, turnEnd: endByStopReason(line, state.answerId, state.reachedTurnLimit) };
}
