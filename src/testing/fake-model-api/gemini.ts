import { type JsonObject, listOf, objectOf } from "../../spec/json.ts";
import type { FakeStreamError } from "./fake-answer.ts";
import { type FakeProtocol, GOOGLE_EVENTS, type NextId, type ProtocolEvent, type ProtocolResponse } from "./fake-protocol.ts";
import { geminiError, isGeminiErrorName, toGeminiErrorBody } from "./gemini-error.ts";
import type { Reply, ReplyPart } from "./reply.ts";

/** Google's Gemini API, `v1beta/models/<model>:generateContent` and its streamed form; it also answers `countTokens`. */
export const gemini: FakeProtocol = {
  modelPath: /:(?:generateContent|streamGenerateContent)$/,
  framing: GOOGLE_EVENTS,
  streams: ({ path }) => path.endsWith(":streamGenerateContent"),
  answerAside: ({ path, rawBody }) =>
    path.endsWith(":countTokens") ? { totalTokens: Math.ceil(rawBody.length / 4) } : undefined,
  respond: ({ path }, nextId) => new GeminiResponse(/([^/]+):\w+$/.exec(path)?.[1] ?? "gemini-fake", nextId),
  isDelta: (event) => partsOf(event).length > 0,
  toHttpError: ({ code, message }) =>
    isGeminiErrorName(code) ? geminiError(code, message) : { kind: "http-error", status: 500, body: toErrorEvent(code, message) },
  toErrorBody: toGeminiErrorBody,
};

class GeminiResponse implements ProtocolResponse {
  readonly headers = { "x-gemini-service-tier": "standard" };
  private readonly base: JsonObject;
  private readonly nextId: NextId;

  constructor(model: string, nextId: NextId) {
    this.nextId = nextId;
    this.base = { modelVersion: model, responseId: nextId("resp-", 23) };
  }

  *events(reply: Reply): Iterable<ProtocolEvent> {
    for (const part of reply.parts) {
      if (part.type === "tool-call") yield this.toChunk([this.toPart(part, "")], reply);
      else for (const piece of part.pieces) yield this.toChunk([this.toPart(part, piece)], reply);
    }
    if (reply.end !== "open") yield this.toChunk([], reply, FINISH_REASONS[reply.end]);
  }

  errorEvent({ code, message }: FakeStreamError): ProtocolEvent {
    return toErrorEvent(code, message);
  }

  whole(reply: Reply): JsonObject {
    const parts = reply.parts.map((part) => this.toPart(part, part.pieces.join("")));
    return this.toChunk(parts, reply, FINISH_REASONS[reply.end]);
  }

  /** A tool call is one event, without deltas. */
  private toPart(part: ReplyPart, text: string): JsonObject {
    if (part.type === "text") return { text };
    if (part.type === "reasoning") return { text, thought: true };
    const { name, input, id = this.nextId("call-", 13) } = part.call;
    const args = objectOf(input);
    if (args === undefined) throw new TypeError("a tool call of Gemini takes an object");
    return { functionCall: { id, name, args }, thoughtSignature: "RmFrZSBzaWduYXR1cmU=" };
  }

  private toChunk(parts: readonly JsonObject[], reply: Reply, finishReason?: string): JsonObject {
    const content = parts.length === 0 ? { role: "model" } : { parts, role: "model" };
    const candidate = { content, ...(finishReason !== undefined && { finishReason }), index: 0 };
    return { candidates: [candidate], usageMetadata: toUsage(reply), ...this.base };
  }
}

const FINISH_REASONS = {
  stop: "STOP",
  "tool-calls": "STOP",
  refusal: "SAFETY",
  "max-tokens": "MAX_TOKENS",
  open: undefined,
} as const;

function partsOf(event: ProtocolEvent): readonly unknown[] {
  return listOf(objectOf(objectOf(listOf(event["candidates"])[0])?.["content"])?.["parts"]);
}

function toErrorEvent(status: string, message: string): JsonObject {
  return { error: { code: isGeminiErrorName(status) ? geminiError(status).status : 500, message, status } };
}

/** The Gemini API counts the output without the reasoning. */
function toUsage({ usage }: Reply): JsonObject {
  return {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
    ...(usage.cacheReadTokens > 0 && { cachedContentTokenCount: usage.cacheReadTokens }),
    ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  };
}
