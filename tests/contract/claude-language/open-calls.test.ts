import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import {
  apiError,
  assistant,
  executionError,
  init,
  messageStart,
  result,
  streamedTool,
  synthetic,
  text,
  toolResult,
  toolUse,
} from "./lines.ts";
import { type Ending, eventsOf, replayTurn } from "./replay-lines.ts";

const begun: readonly JsonObject[] = [
  init(),
  assistant("m1", [text("Working.")]),
  assistant("m1", [toolUse("t1", { prompt: "look" }, "Task")]),
  assistant("m1", [toolUse("t2", { command: "ls" })]),
  assistant("s1", [toolUse("t3", { file_path: "a" }, "Read")], "t1"),
  assistant("s1", [toolUse("t4", { file_path: "b" }, "Read")], "t1"),
  toolResult("t4", "b!", "t1"),
  assistant("m1", [toolUse("t5", { command: "pwd" })]),
];

const closed = { type: "tool-end", output: null, isError: false, synthetic: true };
const expected = [
  { type: "tool-end", id: "t4", name: "Read", input: { file_path: "b" }, output: "b!", isError: false, parentToolId: "t1" },
  { ...closed, id: "t1", name: "Task", input: { prompt: "look" } },
  { ...closed, id: "t2", name: "Bash", input: { command: "ls" } },
  { ...closed, id: "t3", name: "Read", input: { file_path: "a" }, parentToolId: "t1" },
  { ...closed, id: "t5", name: "Bash", input: { command: "pwd" } },
];

describe("calls that are open at the end, of the main conversation and of a sub-agent, are ended in the order of their start", () => {
  const ends: readonly {
    readonly when: string;
    readonly lines: readonly JsonObject[];
    readonly ending: Ending;
    readonly code?: string;
  }[] = [
    { when: "the turn went well", lines: [result("Working.")], ending: {} },
    { when: "the turn went well without an answer", lines: [result("")], ending: {} },
    {
      when: "the API failed",
      lines: [synthetic("API Error: 500", "server_error"), apiError("API Error: 500", { api_error_status: 500 })],
      ending: { exitCode: 1 },
      code: "server-error",
    },
    {
      when: "the turn was interrupted",
      lines: [executionError("error_during_execution", { terminal_reason: "aborted_tools" })],
      ending: { exitCode: 1 },
      code: "interrupted",
    },
    {
      when: "the turns were used up",
      lines: [executionError("error_max_turns", { terminal_reason: "max_turns" })],
      ending: { exitCode: 1 },
      code: "turn-limit",
    },
    { when: "the process left with 0 and without a result", lines: [], ending: { exitCode: 0 }, code: "no-terminal-event" },
    { when: "the process left with 1 and without a result", lines: [], ending: { exitCode: 1 }, code: "no-terminal-event" },
    { when: "a signal ended the process", lines: [], ending: { signal: "SIGKILL" }, code: "crashed" },
    { when: "the process reported a signal by its exit code", lines: [], ending: { exitCode: 143 }, code: "crashed" },
  ];

  test.for(ends)("when $when", ({ lines, ending, code }) => {
    const run = replayTurn([...begun, ...lines], ending);
    expect(eventsOf(run, "tool-end")).toStrictEqual(expected);
    expect(run.result.failure?.code).toBe(code);
  });
});

describe("a call that was open at the end", () => {
  test("is in the result with its parent", () => {
    const { result: folded } = replayTurn([...begun, result("Working.")]);
    expect(folded.toolCalls.map(({ id, synthetic: isSynthetic, parentToolId }) => [id, isSynthetic, parentToolId])).toStrictEqual(
      [
        ["t4", undefined, "t1"],
        ["t1", true, undefined],
        ["t2", true, undefined],
        ["t3", true, "t1"],
        ["t5", true, undefined],
      ],
    );
  });

  test("is reset when its input is incomplete", () => {
    const run = replayTurn([init(), messageStart("m1"), ...streamedTool(0, "t1", ['{"comm'])], { signal: "SIGTERM" });
    expect(eventsOf(run, "tool-end")).toEqual([]);
    expect(eventsOf(run, "tool-reset")).toMatchObject([{ id: "t1" }]);
    expect(run.result.toolCalls).toEqual([]);
  });

  test("is not ended twice when its result comes after the end of the turn", () => {
    const run = replayTurn([...begun, result("Working."), toolResult("t1", "late"), toolResult("t3", "late", "t1")]);
    expect(eventsOf(run, "tool-end")).toStrictEqual(expected);
  });
});
