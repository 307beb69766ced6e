import { type ChatCall, ChunkWriter, completionOf, finishReasonOf, toChatUsage } from "../../formats/openai-chat.ts";
import { type JsonObject, listOf, objectOf } from "../../spec/json.ts";
import type { CallPart, FakeStreamError, Reply } from "./fake-answer.ts";
import { DATA_EVENTS, type FakeProtocol, modelOf, type NextId, type ProtocolEvent, streamsByBody } from "./fake-protocol.ts";
import { chatError, isChatErrorCode, toOpenAiErrorBody } from "./openai-error.ts";

/** OpenAI's Chat Completions, which many vendors use; reasoning is `reasoning_content`, as with Qwen and DeepSeek. */
export const openaiChat: FakeProtocol = {
  modelPath: /\/chat\/completions$/,
  framing: DATA_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => {
    const headers = { "x-request-id": nextId("req_", 36) };
    const id = nextId("chatcmpl-", 38);
    const head = { id, created: Math.floor(Date.now() / 1000), model: modelOf(request, "gpt-fake") };
    const reportsUsage = objectOf(objectOf(request.body)?.["stream_options"])?.["include_usage"] === true;
    return {
      headers,
      events: (reply) => streamChunks(reply, new ChunkWriter(head, reportsUsage), reportsUsage, nextId),
      errorEvent: toErrorEvent,
      whole: (reply) =>
        completionOf(head, {
          text: textOf(reply, "text"),
          reasoning: textOf(reply, "reasoning"),
          calls: reply.parts.flatMap((part) =>
            part.type === "tool-call" ? [{ ...toCall(part, nextId), input: part.pieces.join("") }] : [],
          ),
          reason: finishReasonOf(reply.end),
          usage: toChatUsage(reply.usage),
        }),
    };
  },
  isDelta: (event) => {
    const delta = objectOf(objectOf(listOf(event["choices"])[0])?.["delta"]) ?? {};
    return !("role" in delta) && Object.keys(delta).length > 0;
  },
  toHttpError: (error) =>
    isChatErrorCode(error.code)
      ? chatError(error.code, error.message)
      : { kind: "http-error", status: 500, body: toErrorEvent(error) },
  toErrorBody: toOpenAiErrorBody,
};

function* streamChunks(reply: Reply, chunks: ChunkWriter, reportsUsage: boolean, nextId: NextId): Iterable<ProtocolEvent> {
  yield chunks.begin();
  for (const part of reply.parts) {
    if (part.type === "tool-call") yield* chunks.call(toCall(part, nextId), part.pieces);
    else for (const piece of part.pieces) yield chunks.text(part.type, piece);
  }
  if (reply.end === "open") return;
  yield chunks.end(finishReasonOf(reply.end));
  if (reportsUsage) yield chunks.usage(toChatUsage(reply.usage));
}

function toCall({ call: { name, id } }: CallPart, nextId: NextId): ChatCall {
  return { id: id ?? nextId("call_", 29), name };
}

function textOf({ parts }: Reply, type: "text" | "reasoning"): string {
  return parts.flatMap((part) => (part.type === type ? part.pieces : [])).join("");
}

function toErrorEvent({ code, message }: FakeStreamError): JsonObject {
  return { error: { message, type: code, param: null, code } };
}
