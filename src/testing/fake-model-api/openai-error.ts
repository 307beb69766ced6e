import type { JsonObject } from "../../spec/json.ts";
import type { FakeHttpError } from "./fake-answer.ts";
import { type ErrorHeaderOptions, httpError } from "./fake-protocol.ts";

type KnownError = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string;
  readonly retryAfterSeconds?: number;
};

/** The errors that both APIs of OpenAI give alike, by their codes. */
const sharedErrors = {
  invalid_request_error: { status: 400, type: "invalid_request_error", message: "Invalid request." },
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
};

const responsesOnly = {
  context_length_exceeded: {
    status: 400,
    type: "invalid_request_error",
    param: "input",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
  usage_limit_reached: { status: 429, type: "usage_limit_reached", message: "The usage limit has been reached" },
  usage_not_included: { status: 429, type: "usage_not_included", message: "Usage not included in your plan" },
  server_is_overloaded: {
    status: 503,
    type: "service_unavailable_error",
    message: "Our servers are currently overloaded. Please try again later.",
  },
};

const chatOnly = {
  context_length_exceeded: {
    status: 400,
    type: "invalid_request_error",
    param: "messages",
    message:
      "This model's maximum context length is 131072 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
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

/** An error of the Responses API by its code; the usage limits are those of a ChatGPT plan. */
export type ResponsesErrorCode = keyof typeof sharedErrors | keyof typeof responsesOnly;

/** An error of Chat Completions by its code; `access_denied` and `data_inspection_failed` are Alibaba Cloud's. */
export type ChatErrorCode = keyof typeof sharedErrors | keyof typeof chatOnly;

const responsesErrors: Readonly<Record<ResponsesErrorCode, KnownError>> = { ...sharedErrors, ...responsesOnly };
const chatErrors: Readonly<Record<ChatErrorCode, KnownError>> = { ...sharedErrors, ...chatOnly };
const planResetsInSeconds = 3600;

export function responsesError(code: ResponsesErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = responsesErrors[code];
  return toResponse(known, toResponsesBody(code, known, message ?? known.message), options);
}

export function chatError(code: ChatErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = chatErrors[code];
  const isPlain = code === "invalid_request_error" || known.type === "server_error";
  const error = { message: message ?? known.message, type: known.type, param: known.param ?? null, code: isPlain ? null : code };
  return toResponse(known, error, options);
}

/** The body of both APIs for a status. */
export function toOpenAiErrorBody(status: number, message: string): JsonObject {
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code: null } };
}

export function isResponsesErrorCode(code: string): code is ResponsesErrorCode {
  return Object.hasOwn(responsesErrors, code);
}

export function isChatErrorCode(code: string): code is ChatErrorCode {
  return Object.hasOwn(chatErrors, code);
}

function toResponsesBody(code: string, known: KnownError, message: string): JsonObject {
  if (known.type === "usage_not_included") return { type: known.type, message, plan_type: "free" };
  if (known.type !== "usage_limit_reached") {
    return { message, type: known.type, param: known.param ?? null, code: code === "invalid_request_error" ? null : code };
  }
  const resetsAt = Math.floor(Date.now() / 1000) + planResetsInSeconds;
  return { type: known.type, message, plan_type: "plus", resets_at: resetsAt, resets_in_seconds: planResetsInSeconds };
}

function toResponse({ status, retryAfterSeconds }: KnownError, error: JsonObject, options: ErrorHeaderOptions): FakeHttpError {
  const headers = { "x-request-id": "req_00000000000000000000000000fake01" };
  return httpError({ status, body: { error }, headers }, options, retryAfterSeconds);
}
