import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import { anthropicError, isAnthropicErrorName, toAnthropicErrorType } from "./anthropic-error.ts";
import { type FakeProtocol, NAMED_EVENTS, type NextId, type ProtocolEvent, streamsByBody } from "./fake-protocol.ts";
import type { Reply, ReplyPart } from "./reply.ts";

type Started = { readonly id: string; readonly model: string; readonly nextId: NextId };

export const anthropicMessages: FakeProtocol = {
  modelPath: /\/messages$/,
  framing: NAMED_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => {
    const started = { id: nextId("msg_01", 28), model: stringOf(objectOf(request.body)?.["model"]) ?? "claude-fake", nextId };
    const requestId = nextId("req_011C", 28);
    return {
      headers: { "request-id": requestId },
      events: (reply) => streamMessage(reply, started),
      errorEvent: ({ code, message }) => ({ type: "error", error: { type: code, message }, request_id: requestId }),
      whole: (reply) => toMessage(reply, started),
    };
  },
  isDelta: (event) => event["type"] === "content_block_delta",
  toHttpError: ({ code, message }) =>
    isAnthropicErrorName(code) ? anthropicError(code, message) : { kind: "http-error", status: 500, body: toBody(code, message) },
  toErrorBody: (status, message) => toBody(toAnthropicErrorType(status), message),
};

function* streamMessage(reply: Reply, started: Started): Iterable<ProtocolEvent> {
  yield { type: "message_start", message: toStartedMessage(reply, started) };
  for (const [index, part] of reply.parts.entries()) {
    yield { type: "content_block_start", index, content_block: toEmptyBlock(part, started.nextId) };
    if (index === 0) yield { type: "ping" };
    for (const piece of part.pieces) yield { type: "content_block_delta", index, delta: toDelta(part, piece) };
    if (reply.end === "open" && index === reply.parts.length - 1) return;
    if (part.type === "reasoning") yield { type: "content_block_delta", index, delta: { type: "signature_delta", signature } };
    yield { type: "content_block_stop", index };
  }
  if (reply.end === "open") return;
  yield { type: "message_delta", delta: toStop(reply), usage: toUsage(reply) };
  yield { type: "message_stop" };
}

const signature = "RmFrZSBzaWduYXR1cmU=";
const stopReasons = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  refusal: "refusal",
  "max-tokens": "max_tokens",
  open: null,
} as const;

function toMessage(reply: Reply, started: Started): JsonObject {
  const content = reply.parts.map((part) => toBlock(part, started.nextId));
  return { ...toStartedMessage(reply, started), content, ...toStop(reply), usage: toUsage(reply) };
}

function toStartedMessage(reply: Reply, { id, model }: Started): JsonObject {
  const usage = { ...toUsage(reply), output_tokens: 1 };
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage };
}

function toStop({ end }: Reply): JsonObject {
  const stop = { stop_reason: stopReasons[end], stop_sequence: null };
  return end === "refusal" ? { ...stop, stop_details: { type: "refusal", category: null, explanation: null } } : stop;
}

function toBlock(part: ReplyPart, nextId: NextId): JsonObject {
  const whole = part.pieces.join("");
  if (part.type === "text") return { type: "text", text: whole };
  if (part.type === "reasoning") return { type: "thinking", thinking: whole, signature };
  return { ...toEmptyBlock(part, nextId), input: part.call.input };
}

function toEmptyBlock(part: ReplyPart, nextId: NextId): JsonObject {
  if (part.type === "text") return { type: "text", text: "" };
  if (part.type === "reasoning") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id: part.call.id ?? nextId("toolu_01", 30), name: part.call.name, input: {} };
}

function toDelta(part: ReplyPart, piece: string): JsonObject {
  if (part.type === "text") return { type: "text_delta", text: piece };
  if (part.type === "reasoning") return { type: "thinking_delta", thinking: piece };
  return { type: "input_json_delta", partial_json: piece };
}

/** The Messages API counts the input without the tokens read from and written to caches. */
function toUsage({ usage }: Reply): JsonObject {
  return {
    input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    service_tier: "standard",
  };
}

function toBody(type: string, message: string): JsonObject {
  return { type: "error", error: { type, message } };
}
