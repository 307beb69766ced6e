import { type Failure, failureSentences } from "../../spec/failure/failure.ts";
import type { FailureCategory, FailureCode } from "../../spec/failure/failure-codes.ts";
import type { JsonObject } from "../../spec/json.ts";

export type OpenAiError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
};

const CODES: Partial<Readonly<Record<FailureCode, string>>> = {
  "model-unknown": "model_not_found",
  "context-overflow": "context_length_exceeded",
  "prompt-too-large": "context_length_exceeded",
  "rate-limited": "rate_limit_exceeded",
  "queue-full": "rate_limit_exceeded",
  "quota-exhausted": "insufficient_quota",
  "not-logged-in": "invalid_api_key",
  overloaded: "server_is_overloaded",
  "cooling-down": "server_is_overloaded",
  "server-error": "server_error",
  refused: "content_policy_violation",
};

const TYPES: Partial<Readonly<Record<FailureCategory, string>>> = {
  quota: "insufficient_quota",
  rate_limit: "requests",
  authentication: "invalid_request_error",
  validation: "invalid_request_error",
  not_found: "invalid_request_error",
  permission: "request_forbidden",
};

/** A failure as OpenAI's error; failures that OpenAI does not have keep their own code. */
export function toError(failure: Failure): OpenAiError {
  const { category, code, replyStatus } = failure;
  const type = TYPES[category] ?? (replyStatus === 503 ? "service_unavailable_error" : "server_error");
  return {
    message: failureSentences(failure),
    type,
    param: paramOf(failure),
    code: CODES[code] ?? code.replaceAll("-", "_"),
  };
}

export function toErrorReply(failure: Failure): { readonly status: number; readonly body: JsonObject } {
  const status = failure.code === "access-denied" ? 403 : failure.replyStatus;
  return { status, body: { error: toError(failure) } };
}

function paramOf(failure: Failure): string | null {
  if ("param" in failure && typeof failure.param === "string") return failure.param;
  return failure.code === "model-unknown" ? "model" : null;
}
