import { describe, expect, test } from "vitest";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { type Ending, endOf, eventsOf, type ReplayedRun, replayOutput, theOnly } from "./replay-lines.ts";

function replayText(output: string, ending: Ending = {}): ReplayedRun {
  return theOnly(replayOutput("text", output, ending));
}

describe("text output of a process with exit code 0", () => {
  test.for([
    { output: "Hello.\n", answer: "Hello." },
    { output: "Hello.", answer: "Hello." },
    { output: "Hello.\n\n", answer: "Hello.\n" },
    { output: "\n\nHello.\n", answer: "\n\nHello." },
    { output: "  two\nlines  \n", answer: "  two\nlines  " },
    { output: "a\u2028b\u2029c\n", answer: "a\u2028b\u2029c" },
    { output: '{"type":"result","is_error":true,"result":"no"}\n', answer: '{"type":"result","is_error":true,"result":"no"}' },
    { output: "API Error: 500 Internal server error\n", answer: "API Error: 500 Internal server error" },
  ])("is the answer without its last newline: $output", ({ output, answer }) => {
    const run = replayText(output);
    expect(eventsOf(run, "text-delta", "text-end").map((event) => Reflect.get(event, "messageId"))).toContain("stdout");
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "stdout" });
    expect(run.result.text).toBe(answer);
  });

  test.for([
    { output: "12345678\n", tokens: 2 },
    { output: "123456789\n", tokens: 3 },
    { output: "x\n", tokens: 1 },
    { output: "👍👍👍\n", tokens: 2 },
  ])("is estimated at $tokens tokens when it is $output", ({ output, tokens }) => {
    expect(replayText(output).result.usage).toStrictEqual({ outputTokens: tokens, estimated: true, scope: "turn" });
  });

  test.for(["", "\n"])("is an empty answer when it is %j", (output) => {
    const { result } = replayText(output);
    expect([result.text, result.finish, result.failure]).toStrictEqual(["", "stop", undefined]);
  });

  test("is not classified by stderr", () => {
    const { result } = replayText("Hello.\n", { exitCode: 0, stderr: "error: unknown option '--x'\n" });
    expect([result.text, result.failure]).toStrictEqual(["Hello.", undefined]);
  });
});

describe("text output of a process that failed", () => {
  test.for<{ output: string; code: FailureCode; category: string }>([
    { output: "Invalid API key · Fix external API key", code: "not-logged-in", category: "authentication" },
    { output: "Not logged in · Please run /login", code: "not-logged-in", category: "authentication" },
    { output: "API Error: 400 messages.0: wrong", code: "bad-request", category: "validation" },
    { output: "API Error: 500 Internal server error.", code: "server-error", category: "server" },
    { output: "API Error: 503 Unavailable.", code: "server-error", category: "server" },
    { output: "API Error: 529 Overloaded.", code: "overloaded", category: "server" },
    { output: "Credit balance is too low", code: "quota-exhausted", category: "quota" },
    { output: "Prompt is too long · the request is ~212345 tokens", code: "context-overflow", category: "validation" },
    { output: "There's an issue with the selected model (nope).", code: "model-unknown", category: "not_found" },
    { output: "API Error: Unable to connect to API (ConnectionRefused)", code: "connection-failed", category: "network" },
    { output: "API Error: Connection to the API was lost (ECONNRESET).", code: "connection-lost", category: "network" },
    { output: "Request timed out", code: "upstream-timeout", category: "timeout" },
    { output: "API Error: Failed to parse JSON", code: "upstream-garbled", category: "invalid_response" },
    { output: "Error: Reached max turns (2)", code: "turn-limit", category: "validation" },
    { output: "Something new happened", code: "unclassified", category: "unknown" },
  ])("is $code when its text is $output", ({ output, code, category }) => {
    const run = replayText(`${output}\n`, { exitCode: 1 });
    expect(run.events).toStrictEqual([{ type: "run-end", finish: "error", failure: { category, code } }]);
    expect(run.result.failure?.message).toContain(output.slice(0, 20));
  });

  test.for<Ending>([{ exitCode: 143 }, { exitCode: 137 }, { signal: "SIGKILL" }, { signal: "SIGTERM" }])(
    "is crashed after %j",
    (ending) => {
      const run = replayText("Half an ans", ending);
      expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "error", failure: { category: "unknown", code: "crashed" } });
      expect(run.result.text).toBe("");
    },
  );

  test.for<Ending & { code: FailureCode }>([
    { exitCode: 1, stderr: "No conversation found with session ID: x\n", code: "session-unknown" },
    { exitCode: 1, stderr: "error: unknown option '--x'\n", code: "unknown-option" },
    { exitCode: 143, code: "crashed" },
    { signal: "SIGKILL", code: "crashed" },
  ])("is $code when it is empty, after exit code $exitCode or signal $signal", ({ code, ...ending }) => {
    const run = replayText("", ending);
    expect(run.events.length).toBe(1);
    expect(run.result.failure?.code).toBe(code);
  });

  test("is a failure even when stdout and stderr are empty", () => {
    const { result } = replayText("", { exitCode: 1 });
    expect([result.text, result.finish]).toStrictEqual(["", "error"]);
  });
});
