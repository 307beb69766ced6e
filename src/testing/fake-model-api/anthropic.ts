import {
  type Block,
  BlockWriter,
  callBlock,
  countsOf,
  ERROR_STATUSES,
  emptyMessage,
  endEvents,
  errorBody,
  errorTypeOf,
  foldMessage,
  type MessageEvent,
  stopOf,
  textBlock,
  thinkingBlock,
} from "../../formats/anthropic.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { FakeHttpError, Reply, ReplyPart } from "./fake-answer.ts";
import {
  type ErrorHeaderOptions,
  type FakeProtocol,
  httpError,
  modelOf,
  NAMED_EVENTS,
  type NextId,
  streamsByBody,
} from "./fake-protocol.ts";

export const anthropicMessages: FakeProtocol = {
  modelPath: /\/messages$/,
  framing: NAMED_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => {
    const message = emptyMessage(nextId("msg_01", 28), modelOf(request, "claude-fake"));
    const requestId = nextId("req_011C", 28);
    return {
      headers: { "request-id": requestId },
      events: (reply) => streamMessage(reply, message, nextId),
      errorEvent: (error) => ({ ...errorBody(error.code, error.message), request_id: requestId }),
      whole: (reply) => foldMessage(streamMessage(reply, message, nextId)),
    };
  },
  isDelta: (event) => event["type"] === "content_block_delta",
  toHttpError: ({ code, message }) =>
    isErrorName(code) ? anthropicError(code, message) : { kind: "http-error", status: 500, body: errorBody(code, message) },
  toErrorBody: (status, message) => errorBody(errorTypeOf(status), message),
};

function* streamMessage(reply: Reply, message: JsonObject, nextId: NextId): Iterable<MessageEvent> {
  const usage = { ...countsOf(reply.usage), service_tier: "standard" };
  const blocks = new BlockWriter("RmFrZSBzaWduYXR1cmU=");
  yield { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } };
  for (const [index, part] of reply.parts.entries()) {
    yield* blocks.begin(toEmptyBlock(part, nextId));
    if (index === 0) yield { type: "ping" };
    for (const piece of part.pieces) yield blocks.piece(piece);
  }
  if (reply.end === "open") return;
  yield* blocks.end();
  yield* endEvents(stopOf(reply.end), usage);
}

function toEmptyBlock(part: ReplyPart, nextId: NextId): Block {
  if (part.type === "text") return textBlock();
  if (part.type === "reasoning") return thinkingBlock();
  const { name, id = nextId("toolu_01", 30) } = part.call;
  return callBlock({ id, name });
}

type ErrorType = keyof typeof ERROR_STATUSES;

/** An error of the Messages API by its type; the last two are an invalid_request_error with a certain message. */
export type AnthropicErrorName = ErrorType | "credit_balance_too_low" | "prompt_too_long";

type KnownError = { readonly message: string; readonly type?: ErrorType; readonly retryAfterSeconds?: number };

const errors: Readonly<Record<AnthropicErrorName, KnownError>> = {
  invalid_request_error: { message: "messages: at least one message is required" },
  authentication_error: { message: "invalid x-api-key" },
  billing_error: { message: "Your account has a billing issue." },
  permission_error: { message: "Your API key does not have permission to use the specified resource." },
  not_found_error: { message: "model: claude-missing" },
  request_too_large: { message: "Request exceeds the maximum size" },
  rate_limit_error: { message: "This request would exceed your organization's rate limit.", retryAfterSeconds: 1 },
  api_error: { message: "Internal server error" },
  timeout_error: { message: "Request timed out" },
  overloaded_error: { message: "Overloaded" },
  credit_balance_too_low: {
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  prompt_too_long: { type: "invalid_request_error", message: "prompt is too long: 212345 tokens > 200000 maximum" },
};

function isErrorName(name: string): name is AnthropicErrorName {
  return Object.hasOwn(errors, name);
}

const requestId = "req_011CfakeError00000000000";

export function anthropicError(name: AnthropicErrorName, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const { type = name as ErrorType, message: usual, retryAfterSeconds } = errors[name];
  const status = ERROR_STATUSES[type];
  const body = { ...errorBody(type, message ?? usual), request_id: requestId };
  const headers = { "request-id": requestId, "x-should-retry": String(status === 429 || status >= 500) };
  return httpError({ status, body, headers }, options, retryAfterSeconds);
}
