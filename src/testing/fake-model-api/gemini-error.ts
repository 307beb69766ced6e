import type { JsonObject } from "../../spec/json.ts";
import type { ErrorHeaderOptions } from "./anthropic-error.ts";
import type { FakeHttpError } from "./fake-answer.ts";

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

export function toGeminiErrorBody(code: number, message: string): JsonObject {
  const found = Object.entries(errors).find(([, known]) => known.code === code);
  const status = found?.[1].status ?? found?.[0] ?? (code < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code, message, status } };
}

export function isGeminiErrorName(name: string): name is GeminiErrorName {
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
