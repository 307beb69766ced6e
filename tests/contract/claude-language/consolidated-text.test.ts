import { describe, expect, test } from "vitest";
import {
  assistant,
  blockStop,
  init,
  messageStart,
  messageStop,
  result,
  streamedText,
  streamedTool,
  text,
  textDelta,
  toolResult,
  toolUse,
} from "./lines.ts";
import { endOf, eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

describe("a consolidated message after its pieces", () => {
  test("only ends a text that was streamed whole", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel", "lo"]),
      assistant("m1", [text("Hello")]),
      blockStop(0),
      ...messageStop(),
      result("Hello"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-delta", messageId: "m1", text: "lo" },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1" });
  });

  test("adds the part that was not streamed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel"]),
      assistant("m1", [text("Hello, world")]),
      blockStop(0),
      result("Hello, world"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-delta", messageId: "m1", text: "lo, world" },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(run.result.text).toBe("Hello, world");
  });

  test.for([
    { relation: "differs from the pieces", streamed: "Hexa", whole: "Hello" },
    { relation: "is shorter than the pieces", streamed: "Hello there", whole: "Hello" },
    { relation: "differs in case only", streamed: "hello", whole: "Hello" },
    { relation: "differs in white space only", streamed: "Hello ", whole: "Hello" },
  ])("is said again under a new id when it $relation", ({ streamed, whole }) => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, [streamed]),
      assistant("m1", [text(whole)]),
      blockStop(0),
      result(whole),
    ]);
    const [first, second, third, fourth, ...rest] = eventsBetween(run);
    expect([first, second]).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: streamed },
      { type: "text-reset", messageId: "m1" },
    ]);
    const messageId: unknown = Reflect.get(third ?? {}, "messageId");
    expect(messageId).not.toBe("m1");
    expect([third, fourth, ...rest]).toStrictEqual([
      { type: "text-delta", messageId, text: whole },
      { type: "text-end", messageId },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: messageId });
    expect(run.result.text).toBe(whole);
  });

  test("adds nothing to a text that its block's end had completed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hello"]),
      blockStop(0),
      assistant("m1", [text("Hello")]),
      ...messageStop(),
      result("Hello"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hello" },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1" });
  });

  test.for(["Hello, world", "Good bye"])("gives the declared answer %j although its block had ended with other text", (whole) => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hello"]),
      blockStop(0),
      assistant("m1", [text(whole)]),
      result(whole),
    ]);
    expect(run.result.text).toBe(whole);
  });

  test("is not needed for the answer when the block ended by itself", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hello"]),
      blockStop(0),
      ...messageStop(),
      result("Hello"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hello" },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1" });
  });

  test("keeps pieces as they are, however a character is cut", () => {
    const [high, low] = ["\ud83d", "\ude00"];
    const lines = [init(), messageStart("m1"), textDelta(0, "a"), textDelta(0, `${high}${low}`), textDelta(0, "é\u2028\r\n")];
    const run = replayTurn([...lines, assistant("m1", [text("a😀é\u2028\r\n")]), result("a😀é\u2028\r\n")]);
    expect(eventsOf(run, "text-reset")).toStrictEqual([]);
    expect(run.result.text).toBe("a😀é\u2028\r\n");
  });
});

describe("several text blocks in one message", () => {
  test("have ids of their own when they are streamed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["one"]),
      assistant("m1", [text("one")]),
      blockStop(0),
      ...streamedText(1, ["tw", "o"]),
      assistant("m1", [text("two")]),
      blockStop(1),
      ...streamedText(2, ["three"]),
      assistant("m1", [text("three")]),
      blockStop(2),
      ...messageStop(),
      result("three"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "one" },
      { type: "text-end", messageId: "m1" },
      { type: "text-delta", messageId: "m1:1", text: "tw" },
      { type: "text-delta", messageId: "m1:1", text: "o" },
      { type: "text-end", messageId: "m1:1" },
      { type: "text-delta", messageId: "m1:2", text: "three" },
      { type: "text-end", messageId: "m1:2" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1:2" });
  });

  const unstreamed = [
    { type: "text-delta", messageId: "m1", text: "same" },
    { type: "text-end", messageId: "m1" },
    { type: "text-delta", messageId: "m1:1", text: "same" },
    { type: "text-end", messageId: "m1:1" },
    { type: "text-delta", messageId: "m1:2", text: "last" },
    { type: "text-end", messageId: "m1:2" },
  ];

  test("have ids of their own when each has a line and none was streamed", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [text("same")]),
      assistant("m1", [text("same")]),
      assistant("m1", [text("last")]),
      result("last"),
    ]);
    expect(eventsBetween(run)).toStrictEqual(unstreamed);
  });

  test("have ids of their own when one line holds them all", () => {
    const run = replayTurn([init(), assistant("m1", [text("same"), text("same"), text("last")]), result("last")]);
    expect(eventsBetween(run)).toStrictEqual(unstreamed);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1:2" });
  });

  test("are matched in their order when they are consolidated only after all were streamed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["one"]),
      blockStop(0),
      ...streamedText(1, ["two"]),
      blockStop(1),
      ...messageStop(),
      assistant("m1", [text("one")]),
      assistant("m1", [text("two")]),
      result("two"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "one" },
      { type: "text-end", messageId: "m1" },
      { type: "text-delta", messageId: "m1:1", text: "two" },
      { type: "text-end", messageId: "m1:1" },
    ]);
  });

  test("count on when the first was streamed and the second was not", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["one"]),
      assistant("m1", [text("one")]),
      blockStop(0),
      assistant("m1", [text("two")]),
      result("two"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "one" },
      { type: "text-end", messageId: "m1" },
      { type: "text-delta", messageId: "m1:1", text: "two" },
      { type: "text-end", messageId: "m1:1" },
    ]);
  });

  const around = [
    { type: "text-delta", messageId: "m1", text: "Before." },
    { type: "text-end", messageId: "m1" },
    { type: "tool-start", id: "t1", name: "Bash" },
    { type: "tool-call", id: "t1", name: "Bash", input: { command: "ls" }, executor: "cli" },
    { type: "text-delta", messageId: "m1:1", text: "After." },
    { type: "text-end", messageId: "m1:1" },
    { type: "tool-end", id: "t1", name: "Bash", input: { command: "ls" }, output: "a.txt", isError: false },
  ];

  test("are counted without the call between them when they are streamed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Before."]),
      assistant("m1", [text("Before.")]),
      blockStop(0),
      ...streamedTool(1, "t1", [""]),
      assistant("m1", [toolUse("t1", { command: "ls" })]),
      blockStop(1),
      ...streamedText(2, ["After."]),
      assistant("m1", [text("After.")]),
      blockStop(2),
      ...messageStop("tool_use"),
      toolResult("t1", "a.txt"),
      result("After."),
    ]);
    expect(eventsBetween(run)).toStrictEqual(around);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1:1" });
  });

  test("are counted without the call between them when nothing is streamed", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [text("Before."), toolUse("t1", { command: "ls" }), text("After.")]),
      toolResult("t1", "a.txt"),
      result("After."),
    ]);
    expect(eventsBetween(run)).toStrictEqual(around);
  });

  test("give nothing for a block that is empty", () => {
    const run = replayTurn([init(), assistant("m1", [text("")]), result("")]);
    expect(eventsBetween(run)).toStrictEqual([]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop" });
  });
});
