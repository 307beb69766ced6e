import { describe, expect, test } from "vitest";
import { FAILURE_CODES, type FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { Finish } from "../../../src/spec/wire/events.ts";
import {
  apiError,
  assistant,
  executionError,
  init,
  messageStart,
  result,
  resultBlock,
  streamedText,
  synthetic,
  text,
  toolUse,
  user,
} from "./lines.ts";
import { endOf, replayOutput, replayTurn, theOnly } from "./replay-lines.ts";

type Case = {
  readonly code: FailureCode;
  readonly upstream: string;
  readonly word?: string;
  readonly status?: number;
  readonly message: string;
  readonly fields?: JsonObject;
};

const auth = { word: "authentication_failed" };
const request = { word: "invalid_request" };
const server = { word: "server_error" };
const unknown = { word: "unknown" };
const long = { terminal_reason: "prompt_too_long" };
const refusal = { stop_reason: "refusal" };

const tooLong = "Prompt is too long · the request is ~212345 tokens (limit 200000) …";
const badModel = "There's an issue with the selected model (nope). It may not exist or you may not have access to it.";
const lost = "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.";
const malformed = "API Error: API returned an empty or malformed response (HTTP 200) — check the endpoint.";
const unable = "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy.";
const tooLarge = "Request too large (max 32MB). Try with a smaller file.";
const unreachable = "API Error: Unable to connect to API";
const exceeded = "API Error: Claude's response exceeded the 64000 output token maximum.";
const limited = "API Error: Request rejected (429) · slow down";

const cases: readonly Case[] = [
  { code: "not-logged-in", upstream: "401", ...auth, status: 401, message: "Invalid API key · Fix external API key" },
  { code: "not-logged-in", upstream: "no key", ...auth, message: "Not logged in · Please run /login" },
  { code: "access-denied", upstream: "403", ...auth, status: 403, message: "Failed to authenticate. API Error: 403 no" },
  { code: "bad-request", upstream: "400", ...unknown, status: 400, message: "API Error: 400 messages.0: wrong" },
  { code: "bad-request", upstream: "another 400", ...request, status: 400, message: "API Error: 400 something new" },
  { code: "quota-exhausted", upstream: "no credit", word: "billing_error", status: 400, message: "Credit balance is too low" },
  { code: "context-overflow", upstream: "a long prompt", ...request, status: 400, message: tooLong, fields: long },
  { code: "model-unknown", upstream: "404", word: "model_not_found", status: 404, message: badModel },
  { code: "prompt-too-large", upstream: "413", ...request, status: 413, message: tooLarge },
  { code: "rate-limited", upstream: "429", word: "rate_limit", status: 429, message: limited },
  { code: "server-error", upstream: "500", ...server, status: 500, message: "API Error: 500 Internal server error." },
  { code: "server-error", upstream: "503", ...server, status: 503, message: "API Error: 503 Unavailable." },
  { code: "overloaded", upstream: "529", ...server, status: 529, message: "API Error: 529 Overloaded." },
  { code: "connection-failed", upstream: "a refused connection", ...server, message: `${unreachable} (ConnectionRefused)` },
  { code: "connection-failed", upstream: "a name that is not found", message: `${unreachable} (FailedToOpenSocket)` },
  { code: "connection-lost", upstream: "a cut stream", ...server, message: lost },
  { code: "upstream-garbled", upstream: "HTML", ...unknown, message: "API Error: Failed to parse JSON" },
  { code: "upstream-garbled", upstream: "broken events", ...unknown, message: malformed },
  { code: "upstream-timeout", upstream: "silence", ...server, message: "Request timed out" },
  { code: "refused", upstream: "a refusal", ...request, message: unable, fields: refusal },
  { code: "unclassified", upstream: "something new", word: "word_of_a_new_kind", message: "Something new happened" },
];

function endWith(code: FailureCode, finish: Finish = "error"): object {
  return { type: "run-end", finish, failure: { category: FAILURE_CODES[code].category, code } };
}

describe("an error of the API", () => {
  test.for(cases)("is $code after $upstream", ({ code, word, status = null, message, fields }) => {
    const lines = [init(), synthetic(message, word), apiError(message, { api_error_status: status, ...fields })];
    const run = replayTurn(lines, { exitCode: 1 });
    expect(endOf(run)).toStrictEqual(endWith(code));
    expect(run.events.map((event) => Reflect.get(event, "type"))).toStrictEqual(["session-start", "run-end"]);
  });

  // A single document has no line with the CLI's error name.
  test.for(cases)("is $code after $upstream when one JSON document reports it", ({ code, status = null, message, fields }) => {
    const document = JSON.stringify(apiError(message, { api_error_status: status, ...fields }));
    expect(endOf(theOnly(replayOutput("json", `${document}\n`, { exitCode: 1 })))).toStrictEqual(endWith(code));
  });

  test("is output-truncated and ends with the finish length when the output limit cut the answer", () => {
    const lines = [
      init(),
      assistant("m1", [text("Cut by the lim")]),
      synthetic(exceeded, "max_output_tokens"),
      apiError(exceeded),
    ];
    const run = replayTurn(lines, { exitCode: 1 });
    expect(endOf(run)).toStrictEqual({
      type: "run-end",
      finish: "length",
      failure: { category: "invalid_response", code: "output-truncated" },
    });
    expect(run.result.failure?.partialText).toBe("Cut by the lim");
    expect(run.result.text).toBe("");
  });

  test("takes precedence over exit code 0 and over stderr", () => {
    const lines = [
      init(),
      synthetic("API Error: 500 x", "server_error"),
      apiError("API Error: 500 x", { api_error_status: 500 }),
    ];
    const ending = { exitCode: 0, stderr: "No conversation found with session ID: 99999999-9999-4999-8999-999999999999" };
    expect(replayTurn(lines, ending).result.failure?.code).toBe("server-error");
  });

  test("is dropped when the turn succeeds", () => {
    const lines = [init(), synthetic("API Error: 500 x", "server_error"), assistant("m1", [text("A")]), result("A")];
    const { result: folded } = replayTurn(lines);
    expect([folded.text, folded.failure]).toStrictEqual(["A", undefined]);
  });

  test("keeps its error name when it comes in a line of a real model", () => {
    const line = { ...assistant("m1", [text("Credit balance")]), error: "billing_error" };
    const run = replayTurn([init(), line, apiError("Something went wrong", { api_error_status: 400 })], { exitCode: 1 });
    expect(run.events.map((event) => Reflect.get(event, "type"))).toStrictEqual(["session-start", "run-end"]);
    expect(run.result.failure?.code).toBe("quota-exhausted");
  });

  test("is not read from model text or tool output", () => {
    const words = "Credit balance is too low. Prompt is too long. Not logged in. API Error: Unable to connect to API";
    const lines = [
      init(),
      assistant("m1", [text(words)]),
      assistant("m1", [toolUse("t1", {})]),
      user([resultBlock("t1", words, { is_error: true })]),
    ];
    expect(replayTurn([...lines, apiError("Something new happened")], { exitCode: 1 }).result.failure?.code).toBe("unclassified");
    expect(replayTurn(lines, { exitCode: 1 }).result.failure?.code).toBe("no-terminal-event");
  });

  test("leaves the reported text as partial text", () => {
    const lines = [init(), assistant("m1", [text("First.")]), messageStart("m2"), ...streamedText(0, ["Sec", "ond"])];
    const run = replayTurn([
      ...lines,
      synthetic("API Error: 500 x", "server_error"),
      apiError("API Error: 500 x", { api_error_status: 500 }),
    ]);
    expect(run.result.failure?.partialText).toBe("Second");
    expect(run.result.text).toBe("");
  });
});

describe("a turn that the CLI ended early", () => {
  test.for<{ subtype: string; fields: JsonObject; code: FailureCode; finish?: Finish }>([
    { subtype: "error_max_turns", fields: { terminal_reason: "max_turns" }, code: "turn-limit" },
    { subtype: "error_max_budget_usd", fields: {}, code: "budget-spent" },
    { subtype: "error_max_structured_output_retries", fields: {}, code: "schema-mismatch" },
    {
      subtype: "error_during_execution",
      fields: { terminal_reason: "aborted_streaming" },
      code: "interrupted",
      finish: "cancelled",
    },
    { subtype: "error_during_execution", fields: { terminal_reason: "aborted_tools" }, code: "interrupted", finish: "cancelled" },
    { subtype: "error_during_execution", fields: {}, code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: {}, code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: { errors: [] }, code: "unclassified" },
    { subtype: "error_of_a_new_kind", fields: { errors: null }, code: "unclassified" },
  ])("with $subtype and $fields is $code", ({ subtype, fields, code, finish }) => {
    expect(endOf(replayTurn([init(), executionError(subtype, fields)], { exitCode: 1 }))).toStrictEqual(endWith(code, finish));
  });
});
