import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import {
  apiError,
  assistant,
  executionError,
  init,
  messageStart,
  result,
  SESSION_ID,
  streamedText,
  synthetic,
  system,
  text,
  toolResult,
  toolUse,
  user,
} from "./lines.ts";
import { endOf, eventsBetween, eventsOf, replayLines } from "./replay-lines.ts";

const good = (id: string, answer: string): readonly JsonObject[] => [init(), assistant(id, [text(answer)]), result(answer)];
const failed = [
  init(),
  synthetic("Invalid API key", "authentication_failed"),
  apiError("Invalid API key", { api_error_status: 401 }),
];
const silent = [
  system("status", { status: "requesting" }),
  { type: "control_response", response: { subtype: "success", request_id: "r1" } },
  user([text("next")], { isReplay: true }),
  toolResult("t0", "late"),
  synthetic("No response requested."),
];

describe("a process with several turns", () => {
  test("gives a run for each", () => {
    const runs = replayLines([...good("m1", "one"), ...good("m2", "two"), ...good("m3", "three")]);
    expect(runs.map((run) => run.result.text)).toStrictEqual(["one", "two", "three"]);
    expect(runs.map((run) => run.result.sessionId)).toStrictEqual([SESSION_ID, SESSION_ID, SESSION_ID]);
    expect(runs.map((run) => eventsOf(run, "session-start").length)).toStrictEqual([1, 1, 1]);
    expect(new Set(runs.map(({ raw }) => Reflect.get(raw[0] ?? {}, "runId"))).size).toBe(3);
  });

  test("continues after a turn that failed", () => {
    const runs = replayLines([...failed, ...good("m1", "fine")]);
    expect(runs.map((run) => [run.result.text, run.result.failure?.code])).toStrictEqual([
      ["", "not-logged-in"],
      ["fine", undefined],
    ]);
  });

  test("continues after a turn that was interrupted", () => {
    const cut = [
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hal"]),
      executionError("error_during_execution", { terminal_reason: "aborted_streaming" }),
    ];
    const runs = replayLines([...cut, ...good("m2", "fine")]);
    expect(runs.map((run) => [run.result.finish, run.result.failure?.partialText])).toStrictEqual([
      ["cancelled", "Hal"],
      ["stop", undefined],
    ]);
    expect(runs.map((run) => eventsOf(run, "text-reset"))).toStrictEqual([[], []]);
  });

  test("keeps the successful turn when a later one fails, whatever the exit code", () => {
    const runs = replayLines([...good("m1", "fine"), ...failed], { exitCode: 1 });
    expect(runs.map((run) => run.result.failure?.code)).toStrictEqual([undefined, "not-logged-in"]);
  });

  test("does not carry an error name into the next turn", () => {
    const [, second] = replayLines([...failed, init(), apiError("Something new happened", { api_error_status: 500 })], {
      exitCode: 1,
    });
    expect(second?.result.failure?.code).toBe("server-error");
    const [, other] = replayLines([...failed, init(), apiError("Something new happened")], { exitCode: 1 });
    expect(other?.result.failure?.code).toBe("unclassified");
  });

  test("does not carry messages into the next turn", () => {
    const runs = replayLines([...good("m1", "same"), init(), result("same", { uuid: "u-2" })]);
    expect(runs.map((run) => endOf(run))).toStrictEqual([
      { type: "run-end", finish: "stop", answerId: "m1" },
      { type: "run-end", finish: "stop", answerId: "result:u-2" },
    ]);
  });

  test("may use the ids of messages and calls again", () => {
    const turn = [
      init(),
      assistant("m1", [text("I look.")]),
      assistant("m1", [toolUse("t1", {})]),
      toolResult("t1", "x"),
      assistant("m2", [text("Done.")]),
      result("Done."),
    ];
    const [first, second] = replayLines([...turn, ...turn]);
    if (first === undefined || second === undefined) throw new Error("two runs were expected");
    expect(eventsBetween(second)).toStrictEqual(eventsBetween(first));
    expect(eventsOf(second, "text-delta", "tool-start").length).toBe(3);
  });

  test("ends open calls in their own turn and ignores their results in the next", () => {
    const runs = replayLines([
      init(),
      assistant("m1", [toolUse("t1", {})]),
      result(""),
      toolResult("t1", "late"),
      ...good("m2", "two"),
    ]);
    expect(runs.map((run) => run.result.toolCalls.map(({ id, synthetic: isSynthetic }) => [id, isSynthetic]))).toStrictEqual([
      [["t1", true]],
      [],
    ]);
  });

  test("reports the session in a turn without an `init` line", () => {
    const runs = replayLines([...good("m1", "one"), assistant("m2", [text("two")]), result("two")]);
    expect(runs.map((run) => run.result.sessionId)).toStrictEqual([SESSION_ID, SESSION_ID]);
  });

  test("fails the last turn when it has no end", () => {
    const runs = replayLines([...good("m1", "one"), init(), assistant("m2", [text("two")])], { signal: "SIGKILL" });
    expect(runs.map((run) => run.result.failure?.code)).toStrictEqual([undefined, "crashed"]);
    expect(runs[1]?.result.failure?.partialText).toBe("two");
  });

  test("reads two results in a row as two turns", () => {
    const runs = replayLines([init(), result(""), result("two")]);
    expect(runs.map((run) => [run.result.text, run.result.failure])).toStrictEqual([
      ["", undefined],
      ["two", undefined],
    ]);
  });
});

describe("lines that give no event", () => {
  test("never begin a run after the last result", () => {
    const runs = replayLines([...good("m1", "one"), ...silent, "", ...silent], { exitCode: 1, stderr: "x" });
    expect(runs.map((run) => run.result.text)).toStrictEqual(["one"]);
  });

  test("between two turns belong to neither", () => {
    const plain = replayLines([...good("m1", "one"), ...good("m2", "two")]);
    const noisy = replayLines([...silent, ...good("m1", "one"), ...silent, ...good("m2", "two"), ...silent]);
    expect(noisy.map((run) => run.events)).toStrictEqual(plain.map((run) => run.events));
  });

  test("alone are still the output of a process without text", () => {
    const [run, ...others] = replayLines(silent);
    expect(others).toStrictEqual([]);
    expect(run?.result.failure?.code).toBe("no-terminal-event");
  });
});
