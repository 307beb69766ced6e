import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import { assistant, executionError, init, result, SESSION_ID, system, text } from "./lines.ts";
import { eventsBetween, eventsOf, replayLines, replayTurn } from "./replay-lines.ts";

const answer = [assistant("m1", [text("A")]), result("A")];
const answerEvents = [
  { type: "text-delta", messageId: "m1", text: "A" },
  { type: "text-end", messageId: "m1" },
];
const without = (line: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== key));

describe("the session", () => {
  const whole = {
    type: "session-start",
    sessionId: SESSION_ID,
    model: "claude-opus-4-8[1m]",
    cwd: "/workspace",
    tools: ["Task", "Bash"],
    cliVersion: "2.1.197",
    auth: "ANTHROPIC_API_KEY",
  };

  test("is reported with the facts that the CLI prints about itself", () => {
    const run = replayTurn([init(), ...answer]);
    expect(eventsOf(run, "session-start")).toStrictEqual([whole]);
    expect([run.result.sessionId, run.result.model]).toStrictEqual([SESSION_ID, "claude-opus-4-8[1m]"]);
  });

  test("is reported once when two lines introduce it in one run", () => {
    const run = replayTurn([init(), init({ model: "other", session_id: "another" }), ...answer]);
    expect(eventsOf(run, "session-start")).toStrictEqual([whole]);
  });

  test("is reported without the facts that the CLI does not print", () => {
    const run = replayTurn([{ type: "system", subtype: "init", session_id: SESSION_ID }, ...answer]);
    expect(eventsOf(run, "session-start")).toStrictEqual([{ type: "session-start", sessionId: SESSION_ID }]);
  });

  test("is known from the last line when no `init` line came", () => {
    const run = replayTurn([assistant("m1", [text("A")]), result("A")]);
    expect(eventsOf(run, "session-start")).toStrictEqual([{ type: "session-start", sessionId: SESSION_ID }]);
    expect(eventsOf(run, "text-end", "session-start").map((event) => Reflect.get(event, "type"))).toStrictEqual([
      "text-end",
      "session-start",
    ]);
    expect(run.result.sessionId).toBe(SESSION_ID);
  });

  test("is known from the last line of a failed turn too", () => {
    const run = replayTurn([executionError("error_during_execution")], { exitCode: 1 });
    expect(run.result.sessionId).toBe(SESSION_ID);
  });

  test("has no name when no line gives it one", () => {
    const run = replayTurn([assistant("m1", [text("A")]), without(result("A"), "session_id")]);
    expect(eventsOf(run, "session-start")).toStrictEqual([]);
    expect(run.result).not.toHaveProperty("sessionId");
    expect(run.result.text).toBe("A");
  });
});

describe("MCP servers", () => {
  test("give a warning unless they are connected", () => {
    const statuses = ["connected", "failed", "pending", "needs-auth", "disabled", "connected"];
    const servers = statuses.map((status, index) => ({ name: `s ${index}`, status }));
    const run = replayTurn([init({ mcp_servers: servers }), ...answer]);
    const code = "mcp-server-unavailable";
    expect(run.result.warnings).toStrictEqual([
      { code, message: 'MCP server "s 1" is failed.', server: "s 1" },
      { code, message: 'MCP server "s 2" is pending.', server: "s 2" },
      { code, message: 'MCP server "s 3" is needs-auth.', server: "s 3" },
      { code, message: 'MCP server "s 4" is disabled.', server: "s 4" },
    ]);
    expect(run.events.slice(0, 2)).toMatchObject([{ type: "session-start" }, { type: "warning", code }]);
    expect(run.result.failure).toBe(undefined);
  });
});

describe("a retry of the CLI", () => {
  test("is reported with the known fields", () => {
    const retry = system("api_retry", {
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 1004.5,
      error_status: 529,
      error: "overloaded",
    });
    expect(eventsBetween(replayTurn([init(), retry, ...answer]))).toStrictEqual([
      { type: "upstream-retry", by: "cli", attempt: 2, maxAttempts: 10, delayMs: 1004.5, status: 529, reason: "overloaded" },
      ...answerEvents,
    ]);
  });

  test("has no status when the connection failed", () => {
    const retry = system("api_retry", { attempt: 1, max_retries: 3, retry_delay_ms: 500, error_status: null, error: "unknown" });
    expect(eventsBetween(replayTurn([init(), retry, ...answer]))).toStrictEqual([
      { type: "upstream-retry", by: "cli", attempt: 1, maxAttempts: 3, delayMs: 500, reason: "unknown" },
      ...answerEvents,
    ]);
  });

  test("does not fail the run", () => {
    const retry = system("api_retry", {
      attempt: 1,
      max_retries: 3,
      retry_delay_ms: 500,
      error_status: 401,
      error: "authentication_failed",
    });
    expect(replayTurn([init(), retry, ...answer]).result.failure).toBe(undefined);
  });
});

describe("a fallback of the CLI to another model", () => {
  test("is a warning with the CLI's text", () => {
    const content = "Switched to Haiku 4.5 due to high demand for Sonnet 4.5";
    const line = system("model_fallback", { trigger: "overloaded", original_model: "a", fallback_model: "b", content });
    const run = replayTurn([init(), line, ...answer]);
    expect(eventsBetween(run)).toStrictEqual([{ type: "warning", code: "model-fallback", message: content }, ...answerEvents]);
    expect(run.result.warnings).toStrictEqual([{ code: "model-fallback", message: content }]);
  });
});

describe("other `system` lines about the state of the CLI", () => {
  test.for([
    system("status", { status: "requesting" }),
    system("status", { status: null }),
    system("thinking_tokens", { estimated_tokens: 4, estimated_tokens_delta: 4 }),
    system("task_started", { task_id: "b1", tool_use_id: "t1", description: "Run", task_type: "local_bash" }),
    system("task_progress", { task_id: "b1", description: "Run" }),
    system("task_notification", { task_id: "b1", status: "completed", summary: "Run" }),
    system("model_refusal_no_fallback", { original_model: "a", api_refusal_category: "x" }),
    system("model_refusal_fallback", { original_model: "a" }),
  ])("give nothing: $subtype", (line) => {
    expect(eventsBetween(replayTurn([line, init(), line, ...answer]))).toStrictEqual(answerEvents);
    expect(replayLines([init(), ...answer, line]).length).toBe(1);
  });

  test("are kept when their type is unknown", () => {
    const line = system("brand_new", { detail: { a: [1] } });
    expect(eventsBetween(replayTurn([init(), line, ...answer]))).toStrictEqual([
      { type: "native", value: line },
      ...answerEvents,
    ]);
  });
});
