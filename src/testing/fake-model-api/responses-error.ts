import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";
import { type KnownError, OPENAI_ERRORS, type OpenAiErrorCode, toOpenAiResponse } from "./openai-error.ts";

/** An error of the Responses API by its code; the usage limits are those of a ChatGPT plan. */
export type ResponsesErrorCode =
  | OpenAiErrorCode
  | "context_length_exceeded"
  | "usage_limit_reached"
  | "usage_not_included"
  | "server_is_overloaded";

const planResetsInSeconds = 3600;

const errors: Readonly<Record<ResponsesErrorCode, KnownError>> = {
  ...OPENAI_ERRORS,
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

/** The response of the Responses API for an error: its status, its body and its headers. */
export function responsesError(code: ResponsesErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = errors[code];
  return toOpenAiResponse(known, toBody(code, known, message ?? known.message), options);
}

/** True for an error code of the Responses API. */
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
