import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";

/** The code of an error that is the same in both APIs of OpenAI. */
export type OpenAiErrorCode =
  | "invalid_request_error"
  | "invalid_api_key"
  | "unsupported_country_region_territory"
  | "model_not_found"
  | "insufficient_quota"
  | "rate_limit_exceeded"
  | "server_error";

/** The status, type and message of an error of OpenAI. */
export type KnownError = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string;
  readonly retryAfterSeconds?: number;
};

/** The errors that are the same in both APIs. */
export const OPENAI_ERRORS: Readonly<Record<OpenAiErrorCode, KnownError>> = {
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

/** The response for an error with the given body. */
export function toOpenAiResponse(known: KnownError, error: JsonObject, options: ErrorHeaderOptions): FakeHttpError {
  const retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds;
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
