import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";

/** An error of Chat Completions by its code; the last two are Alibaba Cloud's. */
export type ChatErrorCode =
  | "invalid_request_error"
  | "context_length_exceeded"
  | "invalid_api_key"
  | "unsupported_country_region_territory"
  | "model_not_found"
  | "insufficient_quota"
  | "rate_limit_exceeded"
  | "server_error"
  | "server_is_overloaded"
  | "access_denied"
  | "data_inspection_failed";

type KnownError = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string;
  readonly retryAfterSeconds?: number;
};

const errors: Readonly<Record<ChatErrorCode, KnownError>> = {
  invalid_request_error: { status: 400, type: "invalid_request_error", message: "Invalid request." },
  context_length_exceeded: {
    status: 400,
    type: "invalid_request_error",
    param: "messages",
    message:
      "This model's maximum context length is 131072 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
  },
  invalid_api_key: {
    status: 401,
    type: "invalid_request_error",
    message: "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
  },
  unsupported_country_region_territory: {
    status: 403,
    type: "request_forbidden",
    message: "Country, region, or territory not supported",
  },
  model_not_found: {
    status: 404,
    type: "invalid_request_error",
    param: "model",
    message: "The model `missing` does not exist or you do not have access to it.",
  },
  insufficient_quota: {
    status: 429,
    type: "insufficient_quota",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  rate_limit_exceeded: {
    status: 429,
    type: "requests",
    message: "Rate limit reached for requests. Please try again in 1s.",
    retryAfterSeconds: 1,
  },
  server_error: {
    status: 500,
    type: "server_error",
    message: "The server had an error while processing your request. Sorry about that!",
  },
  server_is_overloaded: {
    status: 503,
    type: "service_unavailable_error",
    message: "The engine is currently overloaded, please try again later.",
  },
  access_denied: { status: 403, type: "access_denied", message: "Model access denied." },
  data_inspection_failed: {
    status: 400,
    type: "data_inspection_failed",
    message: "Input data may contain inappropriate content.",
  },
};

/** The response of Chat Completions for an error: its status, its body and its headers. */
export function chatError(code: ChatErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = errors[code];
  const retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds;
  const isPlain = code === "invalid_request_error" || known.type === "server_error";
  const error = { message: message ?? known.message, type: known.type, param: known.param ?? null, code: isPlain ? null : code };
  return {
    kind: "http-error",
    status: known.status,
    body: { error },
    headers: {
      "x-request-id": "req_00000000000000000000000000fake01",
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...options.headers,
    },
  };
}

/** The body of Chat Completions for a status. */
export function toChatErrorBody(status: number, message: string): JsonObject {
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code: null } };
}

/** True for a code that Chat Completions knows. */
export function isChatErrorCode(code: string): code is ChatErrorCode {
  return Object.hasOwn(errors, code);
}
