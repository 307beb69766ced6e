import { expect, it } from "vitest";
import { type ErrorSigns, weighWords } from "./weigh-words.ts";
import type { ErrorName } from "./weights.ts";

it.each([
  ["API Error: 400 messages: text content blocks must be non-empty", "bad-request"],
  ["API Error: 400 Request contains an invalid argument", "bad-request"],
  ["HTTP 500 error", "server-error"],
  ["You have hit your rate limit", "rate-limited"],
  ["You've hit your Opus limit · resets 3pm", "quota-exhausted"],
  ["The model gpt-9 does not exist or you do not have access to it.", "model-unknown"],
  ["Your API key does not have access to this model.", "access-denied"],
  ["Failed to authenticate. API Error: 403 no", "access-denied"],
  ["Failed to authenticate: error sending request", "connection-failed"],
  ["Please log out and sign in again.", "not-logged-in"],
  ["HTTP 503: the engine is overloaded", "overloaded"],
  ["the engine is overloaded", "rate-limited"],
  ["[API Error: terminated]", "connection-lost"],
  ["terminated by SIGTERM", "upstream-timeout"],
  ["sh: 1: claude: not found", "cli-missing"],
])("%j is %s", (text, code) => {
  expect(nameWords({ text })?.code).toBe(code);
});

it.each([
  "Could not write to log in /var/log/x",
  "Error in model loader: file /x does not exist",
  "Error: 500 lines",
  "Error: 400 requests so far",
  "404 matches",
  "* [#540]: Add an argument",
  "the process was terminated by its parent",
  "we generate limits",
  "",
])("%j names nothing", (text) => {
  expect(nameWords({ text })).toBeUndefined();
});

it("words outweigh a status, a status the names of the protocol, and names of a spent quota a status", () => {
  expect(nameWords({ text: "Prompt is too long", status: 500 })?.code).toBe("context-overflow");
  expect(nameWords({ text: "rate_limit", status: 401 })?.code).toBe("not-logged-in");
  expect(nameWords({ text: "usage_limit", status: 429 })?.code).toBe("quota-exhausted");
  expect(nameWords({ text: "rate_limit", status: 200 })?.code).toBe("rate-limited");
});

it.each([
  ["out of extra usage", 400, "quota-exhausted"],
  ["Model is disabled", 401, "model-unknown"],
  ["Your team doesn't have any credits yet", 403, "quota-exhausted"],
  ["Rate limit exceeded: free-models-per-day", 429, "quota-exhausted"],
  ["Too many requests, try again in 2 hours", 429, "quota-exhausted"],
  ["Too many requests, try again in 59 minutes", 429, "rate-limited"],
  ["No capacity available for this model, RESOURCE_EXHAUSTED", 429, "overloaded"],
])("%j with the status %i is %s", (text, status, code) => {
  expect(nameWords({ text, status })?.code).toBe(code);
});

it.each([
  ["EACCES: permission denied, mkdir '/tmp/x'", "cli-misconfigured"],
  ["bwrap: setting up uid map: Permission denied", "cli-misconfigured"],
  ["Permission denied on resource project", "access-denied"],
  ["stream disconnected before completion: Rate limit reached", "rate-limited"],
  ["stream disconnected before completion: something odd", "connection-lost"],
  ["Failed to sign in: request to https://x.test/token failed, reason: timeout", "connection-failed"],
  ["Failed to sign in", "not-logged-in"],
  ["402 status code (no body)", "quota-exhausted"],
  ["Request failed: 413 Request Entity Too Large", "prompt-too-large"],
  ["余额不足或无可用资源包,请充值。", "quota-exhausted"],
  ["您的账户已达到速率限制，请您控制请求频率", "rate-limited"],
  ["The wrapped sentence says: your credit\n   balance is too low", "quota-exhausted"],
  ["TypeError: x is not a function", "crashed"],
])("%j is %s by the heaviest evidence", (text, code) => {
  expect(nameWords({ text })?.code).toBe(code);
});

it("a quota of a day outweighs the short wait beside it, and a limit per minute the day beside it", () => {
  const short = "retry in 30s";
  expect(nameWords({ text: `You exceeded your current quota, GenerateRequestsPerDayPerProject, ${short}` })?.code).toBe(
    "quota-exhausted",
  );
  expect(nameWords({ text: "Quota exceeded: 15 requests per minute, 200 requests a day" })?.code).toBe("rate-limited");
});

it("a wait of at most a minute makes an exhausted quota a rate limit, whether the text or the caller states it", () => {
  const text = "RESOURCE_EXHAUSTED";
  expect(nameWords({ text })?.code).toBe("quota-exhausted");
  expect(nameWords({ text, waitMs: 60_000 })?.code).toBe("rate-limited");
  expect(nameWords({ text, waitMs: 60_001 })?.code).toBe("quota-exhausted");
  expect(nameWords({ text: `${text}, retry in 59s` })?.code).toBe("rate-limited");
  expect(nameWords({ text: "You have exhausted your daily quota, retry in 59s" })?.code).toBe("quota-exhausted");
});

it("a connection errno takes precedence over wording about sessions, models, refusals and accounts, not over the order of patterns", () => {
  for (const words of ["no such session", "model not found", "Claude refused", "You do not have access", "Please run /login"]) {
    expect(nameWords({ text: `${words}: connect ECONNREFUSED 127.0.0.1:1` })?.code, words).toBe("connection-failed");
    expect(nameWords({ text: words })?.category, words).not.toBe("network");
  }
  expect(nameWords({ text: "malformed, ECONNREFUSED" })?.code).toBe("bad-request");
});

it("an unsupported region is access-denied, an unavailable region is not", () => {
  expect(nameWords({ text: "Your region is not supported" })?.code).toBe("access-denied");
  expect(nameWords({ text: "The region is not available", status: 503 })?.code).toBe("server-error");
  expect(nameWords({ text: "The region is temporarily not available" })?.code).toBe("server-error");
  expect(nameWords({ text: "The region is unavailable" })).toBeUndefined();
});

it("a not_found error that does not name what is missing is unclassified", () => {
  expect(nameWords({ text: "not found" })).toEqual({ category: "not_found", code: "unclassified" });
  expect(nameWords({ text: "the models were not found" })).toEqual({ category: "not_found", code: "model-unknown" });
});

function nameWords(signs: Omit<ErrorSigns, "clock">): ErrorName | undefined {
  const named = weighWords({ ...signs, clock: { now: Date.parse("2026-11-16T12:00:00.000Z"), timeZone: "UTC" } });
  return named === undefined ? undefined : { category: named.category, code: named.code };
}
