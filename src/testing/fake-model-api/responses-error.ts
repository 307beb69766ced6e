import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";

/** An error of the Responses API by its code; the usage limits are those of a ChatGPT plan. */
export type ResponsesErrorCode =
  | "invalid_request_error"
  | "context_length_exceeded"
  | "invalid_api_key"
  | "unsupported_country_region_territory"
  | "model_not_found"
  | "insufficient_quota"
  | "rate_limit_exceeded"
  | "usage_limit_reached"
  | "usage_not_included"
  | "server_error"
  | "server_is_overloaded";

type KnownError = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string;
  readonly retryAfterSeconds?: number;
};

const planResetsInSeconds = 3600;

const errors: Readonly<Record<ResponsesErrorCode, KnownError>> = {
  invalid_request_error: { status: 400, type: "invalid_request_error", message: "Invalid request." },
  context_length_exceeded: {
    status: 400,
    type: "invalid_request_error",
    param: "input",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
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
  usage_limit_reached: { status: 429, type: "usage_limit_reached", message: "The usage limit has been reached" },
  usage_not_included: { status: 429, type: "usage_not_included", message: "Usage not included in your plan" },
  server_error: {
    status: 500,
    type: "server_error",
    message: "The server had an error while processing your request. Sorry about that!",
  },
  server_is_overloaded: {
    status: 503,
    type: "service_unavailable_error",
    message: "Our servers are currently overloaded. Please try again later.",
  },
};

/** The response of the Responses API for an error: its status, its body and its headers. */
export function responsesError(code: ResponsesErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = errors[code];
  const retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds;
  return {
    kind: "http-error",
    status: known.status,
    body: { error: toBody(code, known, message ?? known.message) },
    headers: {
      "x-request-id": "req_00000000000000000000000000fake01",
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...options.headers,
    },
  };
}

/** True for a code that the Responses API knows. */
export function isResponsesErrorCode(code: string): code is ResponsesErrorCode {
  return Object.hasOwn(errors, code);
}

function toBody(code: string, known: KnownError, message: string): JsonObject {
  if (known.type === "usage_not_included") return { type: known.type, message, plan_type: "free" };
  if (known.type !== "usage_limit_reached") {
    return { message, type: known.type, param: known.param ?? null, code: code === "invalid_request_error" ? null : code };
  }
  const resetsAt = Math.floor(Date.now() / 1000) + planResetsInSeconds;
  return { type: known.type, message, plan_type: "plus", resets_at: resetsAt, resets_in_seconds: planResetsInSeconds };
}
