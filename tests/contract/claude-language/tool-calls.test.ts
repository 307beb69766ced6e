import { describe, expect, test } from "vitest";
import {
  assistant,
  blockStart,
  blockStop,
  init,
  inputDelta,
  messageStart,
  messageStop,
  result,
  streamedTool,
  text,
  toolResult,
  toolUse,
} from "./lines.ts";
import { eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

const done = [assistant("m2", [text("Done.")]), result("Done.")];
const doneEvents = [
  { type: "text-delta", messageId: "m2", text: "Done." },
  { type: "text-end", messageId: "m2" },
];

describe("a tool call", () => {
  test("begins with its block, reports the non-empty pieces of its input and is complete with its line", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedTool(0, "t1", ["", '{"comm', "", 'and":"ls"}', ""]),
      assistant("m1", [toolUse("t1", { command: "ls" })]),
      blockStop(0),
      ...messageStop("tool_use"),
      toolResult("t1", "a.txt"),
      ...done,
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "tool-start", id: "t1", name: "Bash" },
      { type: "tool-input-delta", id: "t1", delta: '{"comm' },
      { type: "tool-input-delta", id: "t1", delta: 'and":"ls"}' },
      { type: "tool-call", id: "t1", name: "Bash", input: { command: "ls" }, executor: "cli" },
      { type: "tool-end", id: "t1", name: "Bash", input: { command: "ls" }, output: "a.txt", isError: false },
      ...doneEvents,
    ]);
  });

  test("begins with its line when it was not streamed", () => {
    const run = replayTurn([init(), assistant("m1", [toolUse("t1", {}, "mcp__demo__now")]), toolResult("t1", "noon"), ...done]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "tool-start", id: "t1", name: "mcp__demo__now" },
      { type: "tool-call", id: "t1", name: "mcp__demo__now", input: {}, executor: "cli" },
      { type: "tool-end", id: "t1", name: "mcp__demo__now", input: {}, output: "noon", isError: false },
      ...doneEvents,
    ]);
  });

  test("takes its input from the line and not from the pieces", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedTool(0, "t1", ['{"command":"rm']),
      assistant("m1", [toolUse("t1", { command: "ls" })]),
      toolResult("t1", "a.txt"),
      ...done,
    ]);
    expect(run.result.toolCalls).toMatchObject([{ id: "t1", input: { command: "ls" }, output: "a.txt" }]);
  });

  test("assigns pieces by the index of the block when inputs are interleaved", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      blockStart(1, toolUse("t1", {}, "Read")),
      blockStart(2, toolUse("t2", {}, "Grep")),
      inputDelta(2, '{"pattern":'),
      inputDelta(1, '{"file_path":'),
      inputDelta(2, '"x"}'),
      inputDelta(1, '"a"}'),
      assistant("m1", [toolUse("t2", { pattern: "x" }, "Grep")]),
      blockStop(2),
      assistant("m1", [toolUse("t1", { file_path: "a" }, "Read")]),
      blockStop(1),
      toolResult("t1", "1"),
      toolResult("t2", "2"),
      ...done,
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "tool-start", id: "t1", name: "Read" },
      { type: "tool-start", id: "t2", name: "Grep" },
      { type: "tool-input-delta", id: "t2", delta: '{"pattern":' },
      { type: "tool-input-delta", id: "t1", delta: '{"file_path":' },
      { type: "tool-input-delta", id: "t2", delta: '"x"}' },
      { type: "tool-input-delta", id: "t1", delta: '"a"}' },
      { type: "tool-call", id: "t2", name: "Grep", input: { pattern: "x" }, executor: "cli" },
      { type: "tool-call", id: "t1", name: "Read", input: { file_path: "a" }, executor: "cli" },
      { type: "tool-end", id: "t1", name: "Read", input: { file_path: "a" }, output: "1", isError: false },
      { type: "tool-end", id: "t2", name: "Grep", input: { pattern: "x" }, output: "2", isError: false },
      ...doneEvents,
    ]);
  });

  test("starts with new indexes in each message", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedTool(0, "t1", ["{}"]),
      assistant("m1", [toolUse("t1", {})]),
      blockStop(0),
      ...messageStop("tool_use"),
      toolResult("t1", "1"),
      messageStart("m2"),
      ...streamedTool(0, "t2", ['{"a":1}']),
      assistant("m2", [toolUse("t2", { a: 1 })]),
      blockStop(0),
      ...messageStop("tool_use"),
      toolResult("t2", "2"),
      assistant("m3", [text("Done.")]),
      result("Done."),
    ]);
    expect(eventsOf(run, "tool-input-delta")).toStrictEqual([
      { type: "tool-input-delta", id: "t1", delta: "{}" },
      { type: "tool-input-delta", id: "t2", delta: '{"a":1}' },
    ]);
  });

  test("begins once and ends once when its line comes twice", () => {
    const call = assistant("m1", [toolUse("t1", { command: "ls" })]);
    const run = replayTurn([init(), call, call, toolResult("t1", "a.txt"), ...done]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "tool-start", id: "t1", name: "Bash" },
      { type: "tool-call", id: "t1", name: "Bash", input: { command: "ls" }, executor: "cli" },
      { type: "tool-end", id: "t1", name: "Bash", input: { command: "ls" }, output: "a.txt", isError: false },
      ...doneEvents,
    ]);
  });

  test("does not begin again when its line is repeated after its result", () => {
    const call = assistant("m1", [toolUse("t1", { command: "ls" })]);
    const run = replayTurn([init(), call, toolResult("t1", "a.txt"), call, ...done]);
    expect(run.result.toolCalls).toMatchObject([{ id: "t1", input: { command: "ls" }, output: "a.txt", isError: false }]);
  });

  test("does not begin again when its block is repeated", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedTool(0, "t1", ["{}"]),
      messageStart("m1"),
      ...streamedTool(0, "t1", ["{}"]),
      assistant("m1", [toolUse("t1", {})]),
      toolResult("t1", "a.txt"),
      ...done,
    ]);
    expect(eventsOf(run, "tool-start", "tool-end")).toMatchObject([
      { type: "tool-start", id: "t1" },
      { type: "tool-end", id: "t1", output: "a.txt" },
    ]);
  });

  test.for([
    { what: "a string", input: "ls" },
    { what: "a list", input: ["ls", 1, null] },
    { what: "null", input: null },
    { what: "nested", input: { a: { b: [{ c: "d" }] } } },
  ])("keeps an input that is $what", ({ input }) => {
    const run = replayTurn([init(), assistant("m1", [toolUse("t1", input)]), toolResult("t1", "x"), ...done]);
    expect(run.result.toolCalls.map((call) => call.input)).toStrictEqual([input]);
  });

  test("shares its line with others when one line contains several", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [toolUse("t1", { n: 1 }), toolUse("t2", { n: 2 })]),
      toolResult("t2", "2"),
      toolResult("t1", "1"),
      ...done,
    ]);
    expect(eventsOf(run, "tool-start", "tool-call", "tool-end")).toMatchObject([
      { type: "tool-start", id: "t1" },
      { type: "tool-call", id: "t1", input: { n: 1 } },
      { type: "tool-start", id: "t2" },
      { type: "tool-call", id: "t2", input: { n: 2 } },
      { type: "tool-end", id: "t2", output: "2" },
      { type: "tool-end", id: "t1", output: "1" },
    ]);
    expect(run.result.toolCalls.map(({ id }) => id)).toStrictEqual(["t2", "t1"]);
  });
});
