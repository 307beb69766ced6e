import { describe, expect, it } from "vitest";
import type { FailureCategory } from "../../src/spec/failure.ts";
import type { FailureCode } from "../../src/spec/failure-codes.ts";
import { anthropicError, type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import { eventsOf, openRealCli, type RealRun } from "./open-real-cli.ts";
import type { CliName } from "./real-cli.ts";

type Row = readonly [what: string, answer: FakeAnswer, category: FailureCategory, code: FailureCode];

const CLAUDE: readonly Row[] = [
  ["a wrong key (401)", anthropicError("authentication_error"), "authentication", "not-logged-in"],
  ["a forbidden resource (403)", anthropicError("permission_error"), "authentication", "access-denied"],
  ["an unknown model (404)", anthropicError("not_found_error"), "not_found", "model-unknown"],
  ["a bad request (400)", anthropicError("invalid_request_error"), "validation", "bad-request"],
  ["a prompt over the context window (400)", anthropicError("prompt_too_long"), "validation", "context-overflow"],
  ["a request that is too large (413)", anthropicError("request_too_large"), "validation", "prompt-too-large"],
  ["too many requests (429)", anthropicError("rate_limit_error"), "rate_limit", "rate-limited"],
  ["credit that is used up (400)", anthropicError("credit_balance_too_low"), "quota", "quota-exhausted"],
  ["a billing issue (402)", anthropicError("billing_error"), "quota", "quota-exhausted"],
  ["an error of the server (500)", anthropicError("api_error"), "server", "server-error"],
  ["an overloaded server (529)", anthropicError("overloaded_error"), "server", "overloaded"],
];

const inStream = (code: string, message: string): FakeAnswer => ({ kind: "stream-error", error: { code, message } });

const CODEX: readonly Row[] = [
  ["a wrong key (401)", responsesError("invalid_api_key"), "authentication", "not-logged-in"],
  ["a forbidden country (403)", responsesError("unsupported_country_region_territory"), "authentication", "access-denied"],
  ["an unknown model (404)", responsesError("model_not_found"), "not_found", "model-unknown"],
  ["a bad request (400)", responsesError("invalid_request_error"), "validation", "bad-request"],
  [
    "a bad request of another wording (400)",
    { kind: "http-error", status: 400, body: { detail: "No." } },
    "validation",
    "bad-request",
  ],
  ["a prompt over the context window (400)", responsesError("context_length_exceeded"), "validation", "context-overflow"],
  [
    "a context window that overflows in the stream",
    inStream("context_length_exceeded", "Too long."),
    "validation",
    "context-overflow",
  ],
  ["too many requests (429)", responsesError("rate_limit_exceeded"), "rate_limit", "rate-limited"],
  ["a rate limit in the stream", inStream("rate_limit_exceeded", "Try again in 1.5s."), "rate_limit", "rate-limited"],
  ["a quota that is used up (429)", responsesError("insufficient_quota"), "quota", "quota-exhausted"],
  ["a quota that is used up in the stream", inStream("insufficient_quota", "Used up."), "quota", "quota-exhausted"],
  ["the usage limit of a plan (429)", responsesError("usage_limit_reached"), "quota", "quota-exhausted"],
  ["a plan without usage (429)", responsesError("usage_not_included"), "quota", "quota-exhausted"],
  ["an error of the server (500)", responsesError("server_error"), "server", "server-error"],
  ["an overloaded server (503)", responsesError("server_is_overloaded"), "server", "overloaded"],
  ["an overload in the stream", inStream("server_is_overloaded", "Busy."), "server", "overloaded"],
];

describe.each([
  ["claude", CLAUDE],
  ["codex", CODEX],
] as const)("the errors of real %s's model", (name, rows) => {
  it.each(rows)("%s is no answer but %3$s/%4$s".replace("%3$s", "a failure").replace("/%4$s", ""), async (...row) => {
    const run = await fail(name, row[1]);
    expect(run.failure).toMatchObject({ category: row[2], code: row[3] });
  });
});
