import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/spec/json.ts";
import {
  apiError,
  assistant,
  executionError,
  init,
  RESULT_UUID,
  result,
  SESSION_ID,
  text,
  thinking,
  toolResult,
  toolUse,
} from "./lines.ts";
import { type Ending, endOf, eventsOf, type ReplayedRun, replayLines, replayOutput, theOnly } from "./replay-lines.ts";

const usage = {
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
};

function replayDocument(document: JsonValue | Uint8Array, ending: Ending = {}): ReplayedRun {
  return theOnly(replayOutput("json", document instanceof Uint8Array ? document : `${JSON.stringify(document)}\n`, ending));
}

const declared = [
  { type: "session-start", sessionId: SESSION_ID },
  { type: "text-delta", messageId: `result:${RESULT_UUID}`, text: "A" },
  { type: "text-end", messageId: `result:${RESULT_UUID}` },
  usage,
  { type: "run-end", finish: "stop", answerId: `result:${RESULT_UUID}` },
];

describe("one JSON document", () => {
  test("that is a result gives its answer", () => {
    expect(replayDocument(result("A")).events).toStrictEqual(declared);
  });

  test("may be printed over several lines", () => {
    expect(replayDocument(Buffer.from(`${JSON.stringify(result("A"), null, 2)}\n`)).events).toStrictEqual(declared);
  });

  test("may end without a newline or with several", () => {
    expect(replayDocument(Buffer.from(JSON.stringify(result("A")))).events).toStrictEqual(declared);
    expect(replayDocument(Buffer.from(`\n${JSON.stringify(result("A"))}\n\n`)).events).toStrictEqual(declared);
  });

  test("that is a list of all events gives the same as the lines", () => {
    const lines = [
      init(),
      assistant("m1", [thinking("Hm.")]),
      assistant("m1", [text("I look.")]),
      assistant("m1", [toolUse("t1", { command: "ls" })]),
      toolResult("t1", [text("a.txt")]),
      assistant("m2", [text("a.txt")]),
      result("a.txt"),
    ];
    expect(replayDocument(lines).events).toStrictEqual(theOnly(replayLines(lines)).events);
    expect(replayDocument(lines).result.text).toBe("a.txt");
  });

  test("that is a result with an error is a failure", () => {
    const failed = replayDocument(apiError("API Error: 529 Overloaded.", { api_error_status: 529 }), { exitCode: 1 });
    expect(endOf(failed)).toStrictEqual({
      type: "run-end",
      finish: "error",
      failure: { category: "server", code: "overloaded" },
    });
    const limited = replayDocument(executionError("error_max_turns"), { exitCode: 1 });
    expect(endOf(limited)).toStrictEqual({
      type: "run-end",
      finish: "error",
      failure: { category: "validation", code: "turn-limit" },
    });
  });

  test("that is a list without a result is a run without its terminal event", () => {
    const run = replayDocument([init(), assistant("m1", [text("Half.")])]);
    expect(run.result.failure).toMatchObject({ category: "invalid_response", code: "no-terminal-event", partialText: "Half." });
  });

  test("that is an object of another type is kept and is no answer", () => {
    const run = replayDocument({ hello: "world" });
    expect(eventsOf(run, "native")).toStrictEqual([{ type: "native", value: { hello: "world" } }]);
    expect(run.result.failure?.code).toBe("no-terminal-event");
  });

  test("that is an empty list is a run without its terminal event", () => {
    expect(replayDocument([]).result.failure?.code).toBe("no-terminal-event");
  });

  test("that is a list with values of all types still gives the answer", () => {
    expect(replayDocument([null, 1, "x", [], {}, init(), result("A")]).result.text).toBe("A");
  });

  test("that is a list with lines after its result keeps the answer as the last text", () => {
    const [first] = replayOutput("json", JSON.stringify([init(), result("A"), assistant("m9", [text("late")])]));
    expect(first?.result.text).toBe("A");
  });

  test("that is a list with two results never reports a complete message twice", () => {
    const runs = replayOutput("json", JSON.stringify([init(), result("A"), init(), result("B")]));
    expect(runs.length).toBeGreaterThan(0);
  });

  test.for([
    "42",
    '"text"',
    "null",
    "true",
    "Execution error",
    '{"type":"result","is_error":false,"result":"cu',
    "<html></html>",
  ])("that is %s is kept as text and is no answer", (output) => {
    const run = replayDocument(Buffer.from(`${output}\n`));
    expect(eventsOf(run, "native")).toStrictEqual([{ type: "native", text: output }]);
    expect(run.result.text).toBe("");
    expect(endOf(run)).toStrictEqual({
      type: "run-end",
      finish: "error",
      failure: { category: "invalid_response", code: "no-terminal-event" },
    });
  });

  test.for<Ending & { code: string }>([
    { exitCode: 0, code: "no-terminal-event" },
    { exitCode: 1, code: "no-terminal-event" },
    { exitCode: 1, stderr: "No conversation found with session ID: x", code: "session-unknown" },
    { exitCode: 143, code: "crashed" },
    { signal: "SIGKILL", code: "crashed" },
  ])("that is missing is $code after exit code $exitCode or signal $signal", ({ code, ...ending }) => {
    const run = replayDocument(new Uint8Array(), ending);
    expect(run.events.length).toBe(1);
    expect(run.result.failure?.code).toBe(code);
  });
});
