import { endByError, eventOf, FAULT_KINDS, readGrokUsage } from "../../clis/grok/end.ts";
import { grokStream } from "../../clis/grok/messages.ts";
import { type GrokToolResult, readObject, readOwnWord } from "../../clis/grok/tool-result.ts";
import { keepNative } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, noInput, type SimpleWire, type TurnReader } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../../spec/wire/wire.ts";

type State = { readonly lines: GrokLinesState; readonly messages: TurnReader };

/** The two formats of Grok Build's JSON lines, which have no line type in common but `error`. */
export const grokLines: SimpleWire = defineWire<State>({
  input: noInput,
  start: (context) => ({ lines: startGrokLines(), messages: grokStream.start(context) }),
  step(state, native) {
    const line = objectOf(native);
    return (line && stepGrokLine(state.lines, line)) ?? state.messages.step(native);
  },
});

/** The one document of Grok Build's `--output-format json`; docs/dialects/grok.md has the rules. */
export const grokJson: SimpleWire = defineWire<undefined>({
  framing: "json",
  start: () => undefined,
  step(_, native) {
    const document = objectOf(native);
    if (document === undefined) return keepNative(native);
    if (document["type"] === "error") return { events: readGrokUsage(document), turnEnd: endByError(document) };
    if (typeof document["stopReason"] !== "string") return { events: [{ type: "native", value: document }] };
    return readDocument(document);
  },
});

function readDocument(document: JsonObject): WireStep {
  const [sessionId, thought, text] = ["sessionId", "thought", "text"].map((key) => stringOf(document[key]) ?? "");
  const object = document["structuredOutput"];
  const events: EventDraft[] = [];
  const messageId = "result";
  if (sessionId) events.push({ type: "session-start", sessionId });
  if (thought) events.push({ type: "reasoning-delta", messageId, text: thought });
  if (text) events.push({ type: "text-delta", messageId, text }, { type: "text-end", messageId });
  if (object !== undefined) events.push({ type: "object-delta", object });
  events.push(...readGrokUsage(document));
  return { events, turnEnd: endByStopReason(document, text ? messageId : undefined) };
}

type GrokLinesState = {
  messages: number;
  /** The message that text and thoughts belong to. */
  open: { readonly id: string; hasText: boolean } | undefined;
  /** The last message with text. */
  answerId: string | undefined;
  reachedTurnLimit: boolean;
  readonly calls: Map<string, { readonly name: string; readonly input: JsonValue; isOver: boolean }>;
};

function startGrokLines(): GrokLinesState {
  return { messages: 0, open: undefined, answerId: undefined, reachedTurnLimit: false, calls: new Map() };
}

/** Reads a line of `--output-format streaming-json`; undefined for a line of another kind. */
function stepGrokLine(state: GrokLinesState, line: JsonObject): WireStep | undefined {
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

/** The end of a turn for Grok Build's stop reason; a stop reason that is a failure leaves no answer. */
function endByStopReason(line: JsonObject, answerId: string | undefined, reachedTurnLimit = false): TurnEnd {
  const reason = stringOf(line["stopReason"])?.toLowerCase() ?? "";
  const kind = reachedTurnLimit ? "error_max_turns" : FAULT_KINDS.get(reason);
  if (kind !== undefined) return { finish: "error", fault: { kind, message: reason, event: eventOf(line) } };
  return { finish: reason === "max_tokens" ? "length" : "stop", ...(answerId !== undefined && { answerId }) };
}

/** Reads a finished update: its raw output, or the text that the CLI prints instead. */
function readGrokUpdate(update: JsonObject): GrokToolResult {
  const isError = update["status"] === "failed";
  const raw = objectOf(update["rawOutput"]);
  return raw === undefined ? readOwnWord(update["content"] ?? null, isError) : readObject(raw, raw, isError);
}
