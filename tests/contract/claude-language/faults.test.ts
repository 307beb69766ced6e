import { describe, expect, test } from "vitest";
import type { FailureCategory } from "../../../src/spec/failure.ts";
import type { FailureCode } from "../../../src/spec/failure-codes.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import { apiError, assistant, executionError, init, messageStart, result, streamedText, synthetic, text, user, resultBlock, toolUse } from "./lines.ts";
import { endOf, replayOutput, replayTurn, theOnly } from "./replay-lines.ts";

type Case = {
  readonly upstream: string;
  readonly word?: string;
  readonly status: number | null;
  readonly message: string;
  readonly fields?: JsonObject;
  readonly category: FailureCategory;
  readonly code: FailureCode;
};

const serverSide = "This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:1).";
const tooLong = "Prompt is too long · the request is ~212345 tokens (limit 200000) …";
const badModel = "There's an issue with the selected model (nope). It may not exist or you may not have access to it. Run --model to pick a different model.";
const lost = "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.";
const malformed = "API Error: API returned an empty or malformed response (HTTP 200) — check the endpoint.";
const exceeded = "API Error: Claude's response exceeded the 64000 output token maximum.";
const unable = "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy.";

const cases: readonly Case[] = [
  { upstream: "401", word: "authentication_failed", status: 401, message: "Invalid API key · Fix external API key", category: "authentication", code: "not-logged-in" },
  { upstream: "403", word: "authentication_failed", status: 403, message: "Failed to authenticate. API Error: 403 no", category: "authentication", code: "access-denied" },
  { upstream: "400", word: "unknown", status: 400, message: "API Error: 400 messages.0: wrong", category: "validation", code: "bad-request" },
  { upstream: "400 for lack of credit", word: "billing_error", status: 400, message: "Credit balance is too low", category: "quota", code: "quota-exhausted" },
  { upstream: "400 for a long prompt", word: "invalid_request", status: 400, message: tooLong, fields: { terminal_reason: "prompt_too_long" }, category: "validation", code: "context-overflow" },
  { upstream: "404 for the model", word: "model_not_found", status: 404, message: badModel, category: "not_found", code: "model-unknown" },
  { upstream: "413", word: "invalid_request", status: 413, message: "Request too large (max 32MB). Try with a smaller file.", category: "validation", code: "prompt-too-large" },
  { upstream: "429", word: "rate_limit", status: 429, message: "API Error: Request rejected (429) · slow down", category: "rate_limit", code: "rate-limited" },
  { upstream: "500", word: "server_error", status: 500, message: `API Error: 500 Internal server error. ${serverSide}`, category: "server", code: "server-error" },
  { upstream: "503", word: "server_error", status: 503, message: `API Error: 503 Unavailable. ${serverSide}`, category: "server", code: "server-error" },
  { upstream: "529", word: "server_error", status: 529, message: `API Error: 529 Overloaded. ${serverSide}`, category: "server", code: "overloaded" },
  { upstream: "a refused connection", word: "server_error", status: null, message: "API Error: Unable to connect to API (ConnectionRefused)", category: "network", code: "connection-failed" },
  { upstream: "a name that is not found", status: null, message: "API Error: Unable to connect to API (FailedToOpenSocket)", category: "network", code: "connection-failed" },
  { upstream: "HTML", word: "unknown", status: null, message: "API Error: Failed to parse JSON", category: "invalid_response", code: "upstream-garbled" },
  { upstream: "broken events", word: "unknown", status: null, message: malformed, category: "invalid_response", code: "upstream-garbled" },
  { upstream: "a cut stream", word: "server_error", status: null, message: lost, category: "network", code: "connection-lost" },
  { upstream: "silence", word: "server_error", status: null, message: "Request timed out", category: "timeout", code: "upstream-timeout" },
  { upstream: "a refusal", word: "invalid_request", status: null, message: unable, fields: { stop_reason: "refusal" }, category: "validation", code: "refused" },
  { upstream: "no key", word: "authentication_failed", status: null, message: "Not logged in · Please run /login", category: "authentication", code: "not-logged-in" },
  { upstream: "another 400", word: "invalid_request", status: 400, message: "API Error: 400 something new", category: "validation", code: "bad-request" },
  { upstream: "something new", word: "word_of_a_new_kind", status: null, message: "Something new happened", category: "unknown", code: "unclassified" },
];

describe("an error of the API", () => {
  test.for(cases)("is $code after $upstream", ({ word, status, message, fields, category, code }) => {
    const run = replayTurn([init(), synthetic(message, word), apiError(message, { api_error_status: status, ...fields })], { exitCode: 1 });
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "error", failure: { category, code } });
    expect(run.events.map((event) => Reflect.get(event, "type"))).toStrictEqual(["session-start", "run-end"]);
  });

  // The document has no line in which the CLI says its word for the error.
  const wordless = cases.filter(({ upstream }) => upstream !== "something new");
  test.for(wordless)("is $code after $upstream when only one JSON document is printed", ({ status, message, fields, category, code }) => {
    const document = `${JSON.stringify(apiError(message, { api_error_status: status, ...fields }))}\n`;
    const run = theOnly(replayOutput("json", document, { exitCode: 1 }));
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "error", failure: { category, code } });
  });

  test("is output-truncated and ends with the finish length when the output limit cut the answer", () => {
    const lines = [init(), assistant("m1", [text("Cut by the lim")]), synthetic(exceeded, "max_output_tokens"), apiError(exceeded)];
    const run = replayTurn(lines, { exitCode: 1 });
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "length", failure: { category: "invalid_response", code: "output-truncated" } });
    expect(run.result.failure?.partialText).toBe("Cut by the lim");
    expect(run.result.text).toBe("");
  });

  test("wins over exit code 0 and over what stderr says", () => {
    const lines = [init(), synthetic("API Error: 500 x", "server_error"), apiError("API Error: 500 x", { api_error_status: 500 })];
    const ending = { exitCode: 0, stderr: "No conversation found with session ID: 99999999-9999-4999-8999-999999999999" };
    expect(replayTurn(lines, ending).result.failure?.code).toBe("server-error");
  });

  test("is forgotten when the turn went well after all", () => {
    const lines = [init(), synthetic("API Error: 500 x", "server_error"), assistant("m1", [text("A")]), result("A")];
    const { result: folded } = replayTurn(lines);
    expect([folded.text, folded.failure]).toStrictEqual(["A", undefined]);
  });

  test("keeps its word when a line of a real model carries it", () => {
    const line = { ...assistant("m1", [text("Credit balance")]), error: "billing_error" };
    const run = replayTurn([init(), line, apiError("Something went wrong", { api_error_status: 400 })], { exitCode: 1 });
    expect(run.events.map((event) => Reflect.get(event, "type"))).toStrictEqual(["session-start", "run-end"]);
    expect(run.result.failure?.code).toBe("quota-exhausted");
  });

  test("is not read out of what the model said or a tool printed", () => {
    const words = "Credit balance is too low. Prompt is too long. Not logged in. API Error: Unable to connect to API";
    const lines = [init(), assistant("m1", [text(words)]), assistant("m1", [toolUse("t1", {})]), user([resultBlock("t1", words, { is_error: true })])];
    expect(replayTurn([...lines, apiError("Something new happened")], { exitCode: 1 }).result.failure?.code).toBe("unclassified");
    expect(replayTurn(lines, { exitCode: 1 }).result.failure?.code).toBe("no-terminal-event");
  });

  test("leaves the text that was said as partial text", () => {
    const lines = [init(), assistant("m1", [text("First.")]), messageStart("m2"), ...streamedText(0, ["Sec", "ond"])];
    const run = replayTurn([...lines, synthetic("API Error: 500 x", "server_error"), apiError("API Error: 500 x", { api_error_status: 500 })]);
    expect(run.result.failure?.partialText).toBe("Second");
    expect(run.result.text).toBe("");
  });
});

describe("a turn that the CLI gave up", () => {
  test.for<{ subtype: string; fields: JsonObject; finish: string; category: FailureCategory; code: FailureCode }>([
    { subtype: "error_max_turns", fields: { terminal_reason: "max_turns", errors: ["Reached maximum number of turns (2)"] }, finish: "error", category: "validation", code: "turn-limit" },
    { subtype: "error_max_budget_usd", fields: {}, finish: "error", category: "validation", code: "budget-spent" },
    { subtype: "error_max_structured_output_retries", fields: {}, finish: "error", category: "invalid_response", code: "schema-mismatch" },
    { subtype: "error_during_execution", fields: { terminal_reason: "aborted_streaming" }, finish: "cancelled", category: "cancelled", code: "interrupted" },
    { subtype: "error_during_execution", fields: { terminal_reason: "aborted_tools" }, finish: "cancelled", category: "cancelled", code: "interrupted" },
    { subtype: "error_during_execution", fields: {}, finish: "error", category: "unknown", code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: {}, finish: "error", category: "unknown", code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: { errors: [] }, finish: "error", category: "unknown", code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: { errors: null }, finish: "error", category: "unknown", code: "unclassified" },
  ])("with $subtype and $fields is $code", ({ subtype, fields, finish, category, code }) => {
    const run = replayTurn([init(), executionError(subtype, fields)], { exitCode: 1 });
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish, failure: { category, code } });
  });
});
