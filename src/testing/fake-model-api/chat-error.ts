import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";
import { type KnownError, OPENAI_ERRORS, type OpenAiErrorCode, toOpenAiResponse } from "./openai-error.ts";

/** An error of Chat Completions by its code; the last two are Alibaba Cloud's. */
export type ChatErrorCode =
  | OpenAiErrorCode
  | "context_length_exceeded"
  | "server_is_overloaded"
  | "access_denied"
  | "data_inspection_failed";

const errors: Readonly<Record<ChatErrorCode, KnownError>> = {
  ...OPENAI_ERRORS,
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

/** The response of Chat Completions for an error: its status, its body and its headers. */
export function chatError(code: ChatErrorCode, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = errors[code];
  const isPlain = code === "invalid_request_error" || known.type === "server_error";
  const error = { message: message ?? known.message, type: known.type, param: known.param ?? null, code: isPlain ? null : code };
  return toOpenAiResponse(known, error, options);
}

/** The body of Chat Completions for a status. */
export function toChatErrorBody(status: number, message: string): JsonObject {
  return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code: null } };
}

/** True for an error code of Chat Completions. */
export function isChatErrorCode(code: string): code is ChatErrorCode {
  return Object.hasOwn(errors, code);
}
