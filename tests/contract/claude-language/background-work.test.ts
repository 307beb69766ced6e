import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import { assistant, counts, init, result, system, text, toolResult, toolUse } from "./lines.ts";
import { endOf, eventsOf, type Line, replayLines, replayTurn } from "./replay-lines.ts";

const task = (id: string): JsonObject => ({
  task_id: id,
  run_id: `run-${id}`,
  description: `the ${id}`,
  task_type: "local_bash",
});
const listed = (...ids: readonly string[]): JsonObject => system("background_tasks_changed", { tasks: ids.map(task) });
const started = (id: string): JsonObject =>
  system("task_started", { ...task(id), tool_use_id: `call-${id}`, is_backgrounded: true });
const ended = (id: string): readonly JsonObject[] => [
  system("task_updated", { ...task(id), patch: { status: "completed", end_time: 1 } }),
  system("task_notification", { ...task(id), tool_use_id: `call-${id}`, status: "completed" }),
];
const caused = (id: string): JsonObject => ({ origin: { kind: "task-notification", runId: `run-${id}` } });
const launched = (id: string): readonly Line[] => [
  assistant(`m-${id}`, [toolUse(`call-${id}`, { command: "make", run_in_background: true })]),
  listed(id),
  started(id),
  toolResult(`call-${id}`, "Command running in background."),
];
const messageLines = (id: string, words: string): readonly Line[] => [assistant(id, [text(words)])];
const answer = (words: string, fields: JsonObject = {}): JsonObject =>
  result(words, { usage: counts(10, 0, 0, 5), total_cost_usd: 0.1, ...fields });

describe("a turn that is declared over while background work is open", () => {
  const turns: readonly Line[] = [
    init(),
    ...launched("a"),
    ...messageLines("m1", "Started."),
    answer("Started."),
    ...ended("a"),
    listed(),
    init(),
    ...messageLines("m2", "It is built."),
    answer("It is built.", { ...caused("a"), total_cost_usd: 0.3 }),
  ];

  test("continues in the same run, whose answer is that of its last turn", () => {
    const run = replayTurn(turns);
    expect(run.result.text).toBe("It is built.");
    expect(endOf(run)).toMatchObject({ finish: "stop", answerId: "m2" });
    expect(eventsOf(run, "text-end")).toEqual([
      { type: "text-end", messageId: "m1" },
      { type: "text-end", messageId: "m2" },
    ]);
    expect(eventsOf(run, "session-start")).toHaveLength(1);
  });

  test("counts the tokens of all turns and the cost of the process", () => {
    const run = replayTurn(turns);
    expect(eventsOf(run, "usage")).toMatchObject([
      { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, costUsd: 0.1 },
      { usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 }, costUsd: 0.3 },
    ]);
  });

  test("ends with its answer and a warning that names the work when the output ends", () => {
    const run = replayTurn(turns.slice(0, turns.findIndex((line) => (line as JsonObject)["type"] === "result") + 1));
    expect(run.result).toMatchObject({ text: "Started.", finish: "stop" });
    expect(eventsOf(run, "warning", "usage", "run-end")).toMatchObject([
      { type: "usage", usage: { inputTokens: 10 } },
      { type: "warning", code: "background-unfinished", message: expect.stringContaining("the a") },
      { type: "run-end", finish: "stop" },
    ]);
  });

  test("has failed when the output ends in the middle of the turn that the work caused", () => {
    const run = replayTurn(turns.slice(0, -1));
    expect(run.result.failure).toMatchObject({ code: "no-terminal-event", partialText: "It is built." });
  });

  test("ends at once when it failed", () => {
    const [first, ...others] = replayLines([
      init(),
      ...launched("a"),
      answer("API Error: 500 oops", { is_error: true, api_error_status: 500 }),
    ]);
    expect(others).toEqual([]);
    expect(first?.result.failure).toMatchObject({ code: "server-error" });
  });
});

describe("background work that ends while the model answers", () => {
  const endedBeforeAnswer = [
    init(),
    ...launched("a"),
    ...ended("a"),
    listed(),
    ...messageLines("m1", "Started."),
    answer("Started."),
  ];

  test("causes another turn of the same run", () => {
    const run = replayTurn([
      ...endedBeforeAnswer,
      init(),
      ...messageLines("m2", "It is built."),
      answer("It is built.", caused("a")),
    ]);
    expect(run.result.text).toBe("It is built.");
  });

  test("causes none when the CLI reports it to the model with a tool result", () => {
    const run = replayTurn([
      init(),
      ...launched("a"),
      assistant("m1", [toolUse("call-b", { command: "ls" })]),
      ...ended("a"),
      listed(),
      toolResult("call-b", "a.txt"),
      ...messageLines("m2", "Done."),
      answer("Done."),
    ]);
    expect(run.result.text).toBe("Done.");
    expect(eventsOf(run, "warning")).toEqual([]);
  });

  test("ends with the answer, and without a warning, when the CLI does not start the turn", () => {
    const run = replayTurn([...endedBeforeAnswer]);
    expect(run.result).toMatchObject({ text: "Started.", finish: "stop", warnings: [] });
  });
});

test("tasks that end together cause a turn each, and turns without text change nothing", () => {
  const run = replayTurn([
    init(),
    ...launched("a"),
    ...launched("b"),
    listed("a", "b"),
    ...messageLines("m1", "Started."),
    answer("Started."),
    ...ended("a"),
    listed("b"),
    ...ended("b"),
    listed(),
    init(),
    answer("", { ...caused("a"), usage: counts(0, 0, 0, 0) }),
    init(),
    ...messageLines("m2", "Both are built."),
    answer("Both are built.", caused("b")),
  ]);
  expect(run.result.text).toBe("Both are built.");
  expect(eventsOf(run, "usage").at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 10 } });
});

describe("a task of a CLI that does not report background tasks (2.1.197)", () => {
  const begun = system("task_started", { task_id: "a", tool_use_id: "call-a", description: "the a" });
  const call = assistant("m1", [toolUse("call-a", { command: "make" })]);

  test("ran in the foreground when it ends before its call has a result", () => {
    const run = replayTurn([
      ...[init(), call, begun, ...ended("a"), toolResult("call-a", "built"), ...messageLines("m2", "Done."), answer("Done.")],
    ]);
    expect(run.result).toMatchObject({ text: "Done.", warnings: [] });
  });

  test("is open when its call has a result first", () => {
    const run = replayTurn([
      ...[init(), call, begun, toolResult("call-a", "running"), ...messageLines("m2", "Started."), answer("Started.")],
      ...[...ended("a"), init(), ...messageLines("m3", "Done."), answer("Done.", { origin: { kind: "task-notification" } })],
    ]);
    expect(run.result.text).toBe("Done.");
  });
});

test("a denial that several results name is reported once", () => {
  const permission_denials = [{ tool_name: "Bash", tool_use_id: "call-z", tool_input: {} }];
  const run = replayTurn([
    ...[init(), ...launched("a"), ...messageLines("m1", "Started."), answer("Started.", { permission_denials })],
    ...[...ended("a"), listed(), init(), ...messageLines("m2", "Done."), answer("Done.", { ...caused("a"), permission_denials })],
  ]);
  expect(run.result.permissionDenials).toHaveLength(1);
});
