import { type JsonObject, listOf, objectOf } from "../../spec/json.ts";
import type { FakeHttpError, FakeStreamError, Reply, ReplyPart } from "./fake-answer.ts";
import type { ErrorHeaderOptions } from "./fake-protocol.ts";
import { type FakeProtocol, GOOGLE_EVENTS, type NextId, type ProtocolEvent, type ProtocolResponse } from "./fake-protocol.ts";

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
  "content-filter": "SAFETY",
  length: "MAX_TOKENS",
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

/** An error of the Gemini API by its status; the others have a status of these with a certain reason, quota or message. */
export type GeminiErrorName =
  | "INVALID_ARGUMENT"
  | "API_KEY_INVALID"
  | "TOKEN_LIMIT"
  | "FAILED_PRECONDITION"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "NOT_FOUND"
  | "RATE_LIMIT"
  | "DAILY_QUOTA"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "DEADLINE_EXCEEDED";

type KnownError = {
  readonly code: number;
  readonly status?: string;
  readonly message: string;
  readonly details?: (retryAfterSeconds: number) => readonly JsonObject[];
};

const QUOTA_HELP =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";

const errors: Readonly<Record<GeminiErrorName, KnownError>> = {
  INVALID_ARGUMENT: { code: 400, message: "Invalid JSON payload received." },
  API_KEY_INVALID: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: () => [rpc("ErrorInfo", { reason: "API_KEY_INVALID", domain: "googleapis.com" })],
  },
  TOKEN_LIMIT: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
  },
  FAILED_PRECONDITION: { code: 400, message: "User location is not supported for the API use." },
  UNAUTHENTICATED: { code: 401, message: "Request had invalid authentication credentials." },
  PERMISSION_DENIED: { code: 403, message: "The caller does not have permission" },
  NOT_FOUND: {
    code: 404,
    message:
      "models/gemini-missing is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
  },
  RATE_LIMIT: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: QUOTA_HELP,
    details: (seconds) => [quotaFailure("GenerateRequestsPerMinutePerProjectPerModel"), retryInfo(seconds)],
  },
  DAILY_QUOTA: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: QUOTA_HELP,
    details: () => [quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier")],
  },
  INTERNAL: {
    code: 500,
    message:
      "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  },
  UNAVAILABLE: { code: 503, message: "The model is overloaded. Please try again later." },
  DEADLINE_EXCEEDED: { code: 504, message: "Deadline expired before operation could complete." },
};

/** What an error of the Gemini API may carry beside its words; a rate limit has its wait in the body, 1 s unless said. */
export type GeminiErrorOptions = ErrorHeaderOptions;

/** The response of the Gemini API for an error: its status and its body with the details of the quota. */
export function geminiError(name: GeminiErrorName, message?: string, options: GeminiErrorOptions = {}): FakeHttpError {
  const { code, status = name, message: usual, details } = errors[name];
  const listed = details?.(options.retryAfterSeconds ?? 1);
  const error = { code, message: message ?? usual, status, ...(listed !== undefined && { details: listed }) };
  return { kind: "http-error", status: code, body: { error }, headers: { ...options.headers } };
}

function toGeminiErrorBody(code: number, message: string): JsonObject {
  const found = Object.entries(errors).find(([, known]) => known.code === code);
  const status = found?.[1].status ?? found?.[0] ?? (code < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code, message, status } };
}

function isGeminiErrorName(name: string): name is GeminiErrorName {
  return Object.hasOwn(errors, name);
}

function rpc(type: string, fields: JsonObject): JsonObject {
  return { "@type": `type.googleapis.com/google.rpc.${type}`, ...fields };
}

function quotaFailure(quotaId: string): JsonObject {
  const quotaMetric = "generativelanguage.googleapis.com/generate_content_free_tier_requests";
  return rpc("QuotaFailure", {
    violations: [{ quotaMetric, quotaId, quotaDimensions: { location: "global" }, quotaValue: "10" }],
  });
}

function retryInfo(seconds: number): JsonObject {
  return rpc("RetryInfo", { retryDelay: `${seconds}s` });
}
