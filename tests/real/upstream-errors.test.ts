import { describe, expect, it } from "vitest";
import type { FailureCategory } from "../../src/spec/failure/failure-codes.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode } from "../../src/spec/failure/failure-codes.ts";
import { anthropicError, type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

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
    "a bad request with another text (400)",
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
  it.each(rows.map(toCase))(`${name} fails with $category/$code after $what, and has no text`, async (row) => {
    const cli = await openRealCli(name, row.answer);
    const run = await cli.run({ prompt: "Hello" });
    const { failure, end } = run;
    const traits = { ...FAILURE_TRAITS[row.category], ...FAILURE_CODES[row.code].traits };
    expect(failure).toMatchObject({ category: row.category, code: row.code, ...traits });
    expect(end.finish).toBe("error");
    expect(failure).not.toHaveProperty("partialText");
    expect(eventsOf(run, "text-delta")).toEqual([]);
    expect(cli.api.modelRequests.length).toBeLessThanOrEqual(MOST_REQUESTS[name]);
  });
});

it.each([
  ["claude", anthropicError("authentication_error"), "ANTHROPIC_API_KEY"],
  ["codex", responsesError("invalid_api_key"), "CODEX_API_KEY"],
] as const)("a wrong key of %s is blamed by the name of its variable, not the login", async (name, answer, key) => {
  const cli = await openRealCli(name, answer);
  const { failure } = await cli.run({ prompt: "Hello" });
  expect(failure).toMatchObject({ code: "not-logged-in", fixCommand: `unset ${key}`, hint: expect.stringContaining(key) });
  expect(JSON.stringify(failure)).not.toContain(cli.env[key]);
});

it("the limit of a plan of claude is a spent quota until it resets, and not a rate limit", async () => {
  const resetsAt = Math.ceil(Date.now() / 3_600_000) * 3_600 + 7_200;
  const headers = {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(resetsAt),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "x-should-retry": "false",
  };
  const cli = await openRealCli("claude", anthropicError("rate_limit_error", "Later.", { headers }));
  const run = await cli.run({ prompt: "Hello", auth: "subscription", env: { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" } });
  expect(run.failure).toMatchObject({
    category: "quota",
    code: "quota-exhausted",
    resetAt: new Date(resetsAt * 1_000).toISOString(),
  });
});

it("a login of claude by token sends only the prompt", async () => {
  const cli = await openRealCli("claude");
  const run = await cli.run({ prompt: "Hello", auth: "subscription", env: { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" } });
  expect(run.failure).toBeUndefined();
  expect(cli.api.modelRequests[0]?.headers["authorization"]).toBe("Bearer sk-ant-oat01-fake");
  expect(cli.api.modelRequests[0]?.rawBody).not.toMatch(/# Environment|working directory|OS Version/);
});

it("the retries of a claude agent are reported, and are few", async () => {
  const cli = await openRealCli("claude", anthropicError("overloaded_error"));
  const run = await cli.run({ prompt: "Hello", mode: "agent", cwd: cli.workspace });
  expect(eventsOf(run, "upstream-retry")).toMatchObject([
    { by: "cli", attempt: 1, maxAttempts: 2, status: 529 },
    { by: "cli", attempt: 2, maxAttempts: 2, status: 529 },
  ]);
  expect(cli.api.modelRequests).toHaveLength(3);
});

it("an answer after the retry of a claude agent is an answer", async () => {
  const cli = await openRealCli("claude", [anthropicError("overloaded_error"), { kind: "text", text: "At last." }]);
  const run = await cli.run({ prompt: "Hello", mode: "agent", cwd: cli.workspace });
  expect(run.result).toMatchObject({ text: "At last.", finish: "stop" });
  expect(eventsOf(run, "upstream-retry")).toHaveLength(1);
});

/** Claude sends a request that the API calls bad three times, and one for an unknown model twice. */
const MOST_REQUESTS = { claude: 3, codex: 1 } as const;

type Case = {
  readonly what: string;
  readonly answer: FakeAnswer;
  readonly category: FailureCategory;
  readonly code: FailureCode;
};

function toCase([what, answer, category, code]: Row): Case {
  return { what, answer, category, code };
}
