import { describe, expect, test } from "vitest";
import {
  assistant,
  blockStop,
  init,
  inputDelta,
  messageStart,
  messageStop,
  result,
  streamedText,
  streamedTool,
  text,
  textDelta,
  thinking,
  toolResult,
  toolUse,
} from "./lines.ts";
import { endOf, eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

const task = (id: string) => assistant("m1", [toolUse(id, { prompt: id }, "Task")]);
const taskEvents = (id: string) => [
  { type: "tool-start", id, name: "Task" },
  { type: "tool-call", id, name: "Task", input: { prompt: id }, executor: "cli" },
];
const taskEnd = (id: string) => ({ type: "tool-end", id, name: "Task", input: { prompt: id }, output: "found", isError: false });

describe("a sub-agent", () => {
  test("names its parent in all its events", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      assistant("s1", [thinking("Hm.")], "t1"),
      assistant("s1", [text("I look.")], "t1"),
      assistant("s1", [toolUse("t2", { command: "ls" })], "t1"),
      toolResult("t2", "a.txt", "t1"),
      assistant("s2", [text("Found a.txt.")], "t1"),
      toolResult("t1", "found"),
      assistant("m2", [text("There is a.txt.")]),
      result("There is a.txt."),
    ]);
    const parentToolId = "t1";
    expect(eventsBetween(run)).toStrictEqual([
      ...taskEvents("t1"),
      { type: "reasoning-delta", messageId: "s1", text: "Hm.", parentToolId },
      { type: "text-delta", messageId: "s1", text: "I look.", parentToolId },
      { type: "text-end", messageId: "s1", parentToolId },
      { type: "tool-start", id: "t2", name: "Bash", parentToolId },
      { type: "tool-call", id: "t2", name: "Bash", input: { command: "ls" }, executor: "cli", parentToolId },
      { type: "tool-end", id: "t2", name: "Bash", input: { command: "ls" }, output: "a.txt", isError: false, parentToolId },
      { type: "text-delta", messageId: "s2", text: "Found a.txt.", parentToolId },
      { type: "text-end", messageId: "s2", parentToolId },
      taskEnd("t1"),
      { type: "text-delta", messageId: "m2", text: "There is a.txt." },
      { type: "text-end", messageId: "m2" },
    ]);
    expect(run.result.text).toBe("There is a.txt.");
    expect(run.result.toolCalls).toMatchObject([{ id: "t2", parentToolId }, { id: "t1" }]);
    expect(run.result.toolCalls.map((call) => call.parentToolId)).toStrictEqual(["t1", undefined]);
  });

  test("streams beside the main text without disturbing it", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      messageStart("m2"),
      ...streamedText(0, ["Mean"]),
      messageStart("s1", "t1"),
      ...streamedText(0, ["I lo"], "t1"),
      textDelta(0, "while"),
      textDelta(0, "ok.", "t1"),
      assistant("m2", [text("Meanwhile")]),
      assistant("s1", [text("I look.")], "t1"),
      blockStop(0, "t1"),
      blockStop(0),
      ...messageStop(),
      ...messageStop("end_turn", "t1"),
      toolResult("t1", "found"),
      result("Meanwhile"),
    ]);
    const parentToolId = "t1";
    expect(eventsBetween(run)).toStrictEqual([
      ...taskEvents("t1"),
      { type: "text-delta", messageId: "m2", text: "Mean" },
      { type: "text-delta", messageId: "s1", text: "I lo", parentToolId },
      { type: "text-delta", messageId: "m2", text: "while" },
      { type: "text-delta", messageId: "s1", text: "ok.", parentToolId },
      { type: "text-end", messageId: "m2" },
      { type: "text-end", messageId: "s1", parentToolId },
      taskEnd("t1"),
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m2" });
  });

  test("that prints whole messages does not reset main text that is still streaming", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      messageStart("m2"),
      ...streamedText(0, ["Mean"]),
      assistant("s1", [text("I look.")], "t1"),
      textDelta(0, "while"),
      assistant("m2", [text("Meanwhile")]),
      toolResult("t1", "found"),
      result("Meanwhile"),
    ]);
    expect(eventsOf(run, "text-reset")).toStrictEqual([]);
    expect(run.result.text).toBe("Meanwhile");
  });

  test("that is still streaming is not reset by the main conversation", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      messageStart("s1", "t1"),
      ...streamedText(0, ["I lo"], "t1"),
      messageStart("m2"),
      ...streamedText(0, ["Meanwhile"]),
      assistant("m2", [text("Meanwhile")]),
      assistant("m3", [text("More.")]),
      assistant("s1", [text("I look.")], "t1"),
      toolResult("t1", "found"),
      result("More."),
    ]);
    expect(eventsOf(run, "text-reset")).toStrictEqual([]);
    expect(eventsBetween(run).filter((event) => Reflect.get(event, "messageId") === "s1")).toStrictEqual([
      { type: "text-delta", messageId: "s1", text: "I lo", parentToolId: "t1" },
      { type: "text-delta", messageId: "s1", text: "ok.", parentToolId: "t1" },
      { type: "text-end", messageId: "s1", parentToolId: "t1" },
    ]);
  });

  test("that abandons its own text resets it under its parent", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      messageStart("s1", "t1"),
      ...streamedText(0, ["I lo"], "t1"),
      assistant("s2", [text("I look.")], "t1"),
      toolResult("t1", "found"),
      assistant("m2", [text("Done.")]),
      result("Done."),
    ]);
    expect(eventsOf(run, "text-reset")).toStrictEqual([{ type: "text-reset", messageId: "s1", parentToolId: "t1" }]);
  });

  test("streams the input of its calls by its own indexes", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      messageStart("m2"),
      ...streamedTool(0, "t2", ['{"main":']),
      messageStart("s1", "t1"),
      ...streamedTool(0, "t3", ['{"sub":'], "t1"),
      ...streamedText(1, ["And"]),
      inputDelta(0, "1}"),
      inputDelta(0, "2}", "t1"),
      assistant("m2", [toolUse("t2", { main: 1 })]),
      assistant("s1", [toolUse("t3", { sub: 2 })], "t1"),
      assistant("m2", [text("And")]),
      result("And"),
    ]);
    expect(eventsOf(run, "tool-input-delta")).toStrictEqual([
      { type: "tool-input-delta", id: "t2", delta: '{"main":' },
      { type: "tool-input-delta", id: "t3", delta: '{"sub":', parentToolId: "t1" },
      { type: "tool-input-delta", id: "t2", delta: "1}" },
      { type: "tool-input-delta", id: "t3", delta: "2}", parentToolId: "t1" },
    ]);
  });
});

describe("two sub-agents at once", () => {
  test("do not disturb each other", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      task("t2"),
      messageStart("a1", "t1"),
      ...streamedText(0, ["left "], "t1"),
      messageStart("b1", "t2"),
      ...streamedText(0, ["right "], "t2"),
      textDelta(0, "one", "t1"),
      textDelta(0, "two", "t2"),
      assistant("b1", [text("right two")], "t2"),
      assistant("a1", [text("left one")], "t1"),
      toolResult("t2", "found"),
      toolResult("t1", "found"),
      assistant("m2", [text("Done.")]),
      result("Done."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      ...taskEvents("t1"),
      ...taskEvents("t2"),
      { type: "text-delta", messageId: "a1", text: "left ", parentToolId: "t1" },
      { type: "text-delta", messageId: "b1", text: "right ", parentToolId: "t2" },
      { type: "text-delta", messageId: "a1", text: "one", parentToolId: "t1" },
      { type: "text-delta", messageId: "b1", text: "two", parentToolId: "t2" },
      { type: "text-end", messageId: "b1", parentToolId: "t2" },
      { type: "text-end", messageId: "a1", parentToolId: "t1" },
      taskEnd("t2"),
      taskEnd("t1"),
      { type: "text-delta", messageId: "m2", text: "Done." },
      { type: "text-end", messageId: "m2" },
    ]);
  });
});

describe("the text of a sub-agent", () => {
  test("is not the answer even when the declared answer equals it", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      assistant("s1", [text("42")], "t1"),
      toolResult("t1", "found"),
      result("42", { uuid: "u-1" }),
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "result:u-1" });
    expect(run.result.text).toBe("42");
  });

  test("that came last does not hide the main text that is the answer", () => {
    const run = replayTurn([
      init(),
      task("t1"),
      assistant("m2", [text("Started.")]),
      assistant("s1", [text("Late.")], "t1"),
      result("Started."),
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m2" });
  });

  test("is not part of the partial text of a failed run", () => {
    const lines = [init(), assistant("m0", [text("Main.")]), task("t1"), assistant("s1", [text("Sub.")], "t1")];
    expect(replayTurn(lines, { exitCode: 1 }).result.failure?.partialText).toBe("Main.");
    expect(
      replayTurn(
        lines.filter((_, index) => index !== 1),
        { exitCode: 1 },
      ).result.failure?.partialText,
    ).toBe(undefined);
  });
});
