import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import {
  anthropicError,
  chatError,
  type FakeAnswer,
  type FakeApiProtocol,
  geminiError,
  responsesError,
} from "../../../src/testing/index.ts";
import type { ErrorName } from "../../support/real-clis/rows/matrix-row.ts";

/** The code of each error. */
export const ERROR_CODES: Readonly<Record<ErrorName, FailureCode>> = {
  "wrong key": "not-logged-in",
  "unknown model": "model-unknown",
  "rate limit": "rate-limited",
  "spent quota": "quota-exhausted",
  "failing server": "server-error",
  "cut stream": "connection-lost",
  garbage: "upstream-garbled",
};

/** The model's text before its stream was cut. */
export const HALF = "Half an answer";

type HttpErrorName = Exclude<ErrorName, "cut stream" | "garbage">;

const HTTP_ERRORS: Readonly<Record<FakeApiProtocol, Readonly<Record<HttpErrorName, FakeAnswer>>>> = {
  "anthropic-messages": {
    "wrong key": anthropicError("authentication_error"),
    "unknown model": anthropicError("not_found_error"),
    "rate limit": anthropicError("rate_limit_error"),
    "spent quota": anthropicError("credit_balance_too_low"),
    "failing server": anthropicError("api_error"),
  },
  "openai-chat": {
    "wrong key": chatError("invalid_api_key"),
    "unknown model": chatError("model_not_found"),
    "rate limit": chatError("rate_limit_exceeded"),
    "spent quota": chatError("insufficient_quota"),
    "failing server": chatError("server_error"),
  },
  "openai-responses": {
    "wrong key": responsesError("invalid_api_key"),
    "unknown model": responsesError("model_not_found"),
    "rate limit": responsesError("rate_limit_exceeded"),
    "spent quota": responsesError("insufficient_quota"),
    "failing server": responsesError("server_error"),
  },
  gemini: {
    "wrong key": geminiError("API_KEY_INVALID"),
    "unknown model": geminiError("NOT_FOUND"),
    "rate limit": geminiError("RATE_LIMIT"),
    "spent quota": geminiError("DAILY_QUOTA"),
    "failing server": geminiError("INTERNAL"),
  },
};

/** The response of this protocol's API for the error. */
export function errorAnswer(protocol: FakeApiProtocol, error: ErrorName): FakeAnswer {
  if (error === "cut stream") return { kind: "cut", afterText: HALF };
  if (error === "garbage") return { kind: "garbage", body: "<html><body>Log in to the hotel network</body></html>" };
  return HTTP_ERRORS[protocol][error];
}
