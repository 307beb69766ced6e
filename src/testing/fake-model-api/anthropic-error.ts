import type { FakeHttpError } from "./fake-answer.ts";

/** The headers of a vendor's error. */
export type ErrorHeaderOptions = {
  readonly retryAfterSeconds?: number;
  /** Replace the vendor's own headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

type KnownError = {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly retryAfterSeconds?: number;
};

const knownErrors = {
  invalid_request_error: { status: 400, message: "messages: at least one message is required" },
  authentication_error: { status: 401, message: "invalid x-api-key" },
  billing_error: { status: 402, message: "Your account has a billing issue." },
  permission_error: { status: 403, message: "Your API key does not have permission to use the specified resource." },
  not_found_error: { status: 404, message: "model: claude-missing" },
  request_too_large: { status: 413, message: "Request exceeds the maximum size" },
  rate_limit_error: { status: 429, message: "This request would exceed your organization's rate limit.", retryAfterSeconds: 1 },
  api_error: { status: 500, message: "Internal server error" },
  timeout_error: { status: 504, message: "Request timed out" },
  overloaded_error: { status: 529, message: "Overloaded" },
  credit_balance_too_low: {
    status: 400,
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  prompt_too_long: { status: 400, type: "invalid_request_error", message: "prompt is too long: 212345 tokens > 200000 maximum" },
};

/** An error of the Messages API by its type; the last two are an invalid_request_error with a certain message. */
export type AnthropicErrorName = keyof typeof knownErrors;

const errors: Readonly<Record<AnthropicErrorName, KnownError>> = knownErrors;
const requestId = "req_011CfakeError00000000000";

/** The response of the Messages API for an error: its status, its body and `x-should-retry`. */
export function anthropicError(name: AnthropicErrorName, message?: string, options: ErrorHeaderOptions = {}): FakeHttpError {
  const known = errors[name];
  const retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds;
  return {
    kind: "http-error",
    status: known.status,
    body: { type: "error", error: { type: known.type ?? name, message: message ?? known.message }, request_id: requestId },
    headers: {
      "request-id": requestId,
      "x-should-retry": String(known.status === 429 || known.status >= 500),
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...options.headers,
    },
  };
}

export function toAnthropicErrorType(status: number): string {
  const found = Object.entries(errors).find(([, known]) => known.status === status);
  return found?.[0] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

export function isAnthropicErrorName(name: string): name is AnthropicErrorName {
  return Object.hasOwn(errors, name);
}
