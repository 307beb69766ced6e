import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import {
  assistant,
  init,
  messageStart,
  RESULT_UUID,
  result,
  SESSION_ID,
  streamedText,
  synthetic,
  text,
  toolResult,
  toolUse,
} from "./lines.ts";
import { endOf, eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

const declaredId = `result:${RESULT_UUID}`;
const without = (line: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== key));

describe("the declared answer", () => {
  test("is the last main message when both are equal", () => {
    const run = replayTurn([init(), assistant("m1", [text("A")]), assistant("m2", [text("B")]), result("B")]);
    expect(eventsOf(run, "text-delta").length).toBe(2);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m2" });
  });

  test("is a separate message when it equals only an earlier message", () => {
    const run = replayTurn([init(), assistant("m1", [text("A")]), assistant("m2", [text("B")]), result("A")]);
    expect(eventsBetween(run).slice(-2)).toStrictEqual([
      { type: "text-delta", messageId: declaredId, text: "A" },
      { type: "text-end", messageId: declaredId },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: declaredId });
    expect(run.result.text).toBe("A");
  });

  test.for(["A ", "a", "AB", "\nA"])("is a separate message when it is %j and the last message is A", (answer) => {
    const run = replayTurn([init(), assistant("m1", [text("A")]), result(answer)]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "A" },
      { type: "text-end", messageId: "m1" },
      { type: "text-delta", messageId: declaredId, text: answer },
      { type: "text-end", messageId: declaredId },
    ]);
    expect(run.result.text).toBe(answer);
  });

  test("ends the last message when it equals its streamed text and no other line has ended it", () => {
    const run = replayTurn([init(), messageStart("m1"), ...streamedText(0, ["Hel", "lo"]), result("Hello")]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-delta", messageId: "m1", text: "lo" },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1" });
  });

  test("resets an unfinished message that it does not equal, even when it begins with the same text", () => {
    const run = replayTurn([init(), messageStart("m1"), ...streamedText(0, ["Hel"]), result("Hello")]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-reset", messageId: "m1" },
      { type: "text-delta", messageId: declaredId, text: "Hello" },
      { type: "text-end", messageId: declaredId },
    ]);
  });

  test("has the id `result` when its line has no uuid", () => {
    const run = replayTurn([init(), without(result("A"), "uuid")]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "result" });
    expect(run.result.text).toBe("A");
  });

  test("is a message of its own when only the CLI printed text", () => {
    const run = replayTurn([init(), synthetic("Unknown command: /x"), result("Unknown command: /x")]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: declaredId, text: "Unknown command: /x" },
      { type: "text-end", messageId: declaredId },
    ]);
  });

  test.for<{ what: string; line: JsonObject }>([
    { what: "is empty", line: result("") },
    { what: "is missing", line: without(result(""), "result") },
    { what: "is null", line: result("", { result: null }) },
  ])("does not exist after commentary when it $what", ({ line }) => {
    const run = replayTurn([
      init(),
      assistant("m1", [text("I look.")]),
      assistant("m1", [toolUse("t1", {})]),
      toolResult("t1", "x"),
      line,
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop" });
    expect(run.result.text).toBe("");
    expect(run.result.failure).toBe(undefined);
  });

  test.for(["API Error: 500 Internal server error", "Not logged in · Please run /login", "Credit balance is too low"])(
    "is an answer although it reads %j",
    (answer) => {
      const { result: folded } = replayTurn([init(), assistant("m1", [text(answer)]), result(answer)], {
        exitCode: 1,
        stderr: "error: unknown option '--x'",
      });
      expect(folded.failure).toBe(undefined);
      expect(folded.text).toBe(answer);
    },
  );

  test.for([{ exitCode: 0 }, { exitCode: 1 }, { exitCode: 143 }, { signal: "SIGKILL" }])(
    "is not changed by the exit of the process, %j",
    (ending) => {
      const { result: folded } = replayTurn([init(), assistant("m1", [text("A")]), result("A")], ending);
      expect([folded.text, folded.finish, folded.failure]).toStrictEqual(["A", "stop", undefined]);
    },
  );

  test("counts as success whatever its subtype is", () => {
    const { result: folded } = replayTurn([
      init(),
      assistant("m1", [text("A")]),
      result("A", { subtype: "success_of_a_new_kind" }),
    ]);
    expect([folded.text, folded.finish, folded.failure]).toStrictEqual(["A", "stop", undefined]);
  });
});

describe("the last line of a turn", () => {
  test("gives session, denials, answer, object and usage in this order", () => {
    const denials = [
      { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "rm" } },
      { tool_name: "Write", tool_use_id: "t2", tool_input: { file_path: "a" } },
    ];
    const run = replayTurn([result('{"n":1}', { permission_denials: denials, structured_output: { n: 1 } })]);
    expect(run.events).toStrictEqual([
      { type: "session-start", sessionId: SESSION_ID },
      { type: "permission-denied", id: "t1", name: "Bash", input: { command: "rm" } },
      { type: "permission-denied", id: "t2", name: "Write", input: { file_path: "a" } },
      { type: "text-delta", messageId: declaredId, text: '{"n":1}' },
      { type: "text-end", messageId: declaredId },
      { type: "object-delta", object: { n: 1 } },
      {
        type: "usage",
        usage: {
          inputTokens: 1125,
          outputTokens: 42,
          totalTokens: 1167,
          cacheReadTokens: 1000,
          cacheWriteTokens: 100,
          estimated: false,
          scope: "turn",
        },
        costUsd: 0.0023,
      },
      { type: "run-end", finish: "stop", answerId: declaredId },
    ]);
    expect(run.result.permissionDenials).toStrictEqual([
      { id: "t1", name: "Bash", input: { command: "rm" } },
      { id: "t2", name: "Write", input: { file_path: "a" } },
    ]);
  });

  test.for<JsonValue>([{}, { a: { b: [] } }, [1, 2], "text", 0, false, null])(
    "gives the structured output %j as the object",
    (object) => {
      const run = replayTurn([init(), result("x", { structured_output: object })]);
      expect(eventsOf(run, "object-delta")).toStrictEqual([{ type: "object-delta", object }]);
      expect(run.result.object).toStrictEqual(object);
    },
  );

  test("gives no object when there is no structured output", () => {
    const run = replayTurn([init(), result('{"n":1}')]);
    expect(eventsOf(run, "object-delta")).toStrictEqual([]);
    expect(run.result).not.toHaveProperty("object");
  });

  test.for([
    { stopReason: "end_turn", finish: "stop" },
    { stopReason: "stop_sequence", finish: "stop" },
    { stopReason: "tool_use", finish: "stop" },
    { stopReason: null, finish: "stop" },
    { stopReason: "a_new_reason", finish: "stop" },
    { stopReason: "max_tokens", finish: "length" },
    { stopReason: "refusal", finish: "content-filter" },
  ])("maps the stop reason $stopReason to the finish $finish", ({ stopReason, finish }) => {
    const run = replayTurn([init(), assistant("m1", [text("A")]), result("A", { stop_reason: stopReason })]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish, answerId: "m1" });
    expect(run.result.text).toBe("A");
  });
});
