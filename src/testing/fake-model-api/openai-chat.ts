import { type JsonObject, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { FakeStreamError } from "./fake-answer.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";
import {
  DATA_EVENTS,
  type FakeProtocol,
  type NextId,
  type ProtocolEvent,
  type ProtocolResponse,
  streamsByBody,
} from "./fake-protocol.ts";
import { chatError, isChatErrorCode, toOpenAiErrorBody } from "./openai-error.ts";
import type { CallPart, Reply, ReplyPart } from "./reply.ts";

/** OpenAI's Chat Completions, which many vendors use; reasoning is `reasoning_content`, as with Qwen and DeepSeek. */
export const openaiChat: FakeProtocol = {
  modelPath: /\/chat\/completions$/,
  framing: DATA_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => new ChatCompletion(request, nextId),
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

class ChatCompletion implements ProtocolResponse {
  readonly headers: Readonly<Record<string, string>>;
  private readonly base: JsonObject;
  private readonly reportsUsage: boolean;
  private readonly nextId: NextId;

  constructor({ body }: FakeApiRequest, nextId: NextId) {
    this.nextId = nextId;
    this.headers = { "x-request-id": nextId("req_", 36) };
    const model = stringOf(objectOf(body)?.["model"]) ?? "gpt-fake";
    this.base = { id: nextId("chatcmpl-", 38), created: Math.floor(Date.now() / 1000), model };
    this.reportsUsage = objectOf(objectOf(body)?.["stream_options"])?.["include_usage"] === true;
  }

  *events(reply: Reply): Iterable<ProtocolEvent> {
    yield this.toChunk({ role: "assistant", content: "" });
    let calls = 0;
    for (const part of reply.parts) {
      if (part.type === "tool-call") yield* this.streamCall(part, calls++);
      else for (const piece of part.pieces) yield this.toChunk({ [FIELDS[part.type]]: piece });
    }
    if (reply.end === "open") return;
    yield this.toChunk({}, FINISH_REASONS[reply.end]);
    if (this.reportsUsage) yield { ...this.base, object: "chat.completion.chunk", choices: [], usage: toUsage(reply) };
  }

  errorEvent(error: FakeStreamError): ProtocolEvent {
    return toErrorEvent(error);
  }

  whole(reply: Reply): JsonObject {
    const calls = reply.parts.filter((part) => part.type === "tool-call").map((part) => this.toCall(part, part.pieces.join("")));
    const text = textOf(reply.parts, "text");
    const reasoning = textOf(reply.parts, "reasoning");
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
      refusal: null,
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[reply.end] };
    return { ...this.base, object: "chat.completion", choices: [choice], usage: toUsage(reply) };
  }

  private *streamCall(part: CallPart, index: number): Iterable<ProtocolEvent> {
    yield this.toChunk({ tool_calls: [{ index, ...this.toCall(part, "") }] });
    for (const piece of part.pieces) yield this.toChunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }

  private toCall({ call }: CallPart, input: string): JsonObject {
    const id = call.id ?? this.nextId("call_", 29);
    return { id, type: "function", function: { name: call.name, arguments: input } };
  }

  private toChunk(delta: JsonObject, finishReason: string | null = null): ProtocolEvent {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    return { ...this.base, object: "chat.completion.chunk", choices: [choice], ...(this.reportsUsage && { usage: null }) };
  }
}

const FIELDS = { text: "content", reasoning: "reasoning_content" } as const;

const FINISH_REASONS: Readonly<Record<Reply["end"], string | null>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  refusal: "content_filter",
  "max-tokens": "length",
  open: null,
};

function textOf(parts: readonly ReplyPart[], type: "text" | "reasoning"): string {
  return parts.flatMap((part) => (part.type === type ? part.pieces : [])).join("");
}

function toErrorEvent({ code, message }: FakeStreamError): JsonObject {
  return { error: { message, type: code, param: null, code } };
}

function toUsage({ usage }: Reply): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
