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
  toolResult,
  toolUse,
} from "./lines.ts";
import { endOf, eventsBetween, replayTurn } from "./replay-lines.ts";

describe("several text blocks in one message", () => {
  test("have separate ids when they are streamed", () => {
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

  test("have separate ids when each has a line and none was streamed", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [text("same")]),
      assistant("m1", [text("same")]),
      assistant("m1", [text("last")]),
      result("last"),
    ]);
    expect(eventsBetween(run)).toStrictEqual(unstreamed);
  });

  test("have separate ids when one line contains them all", () => {
    const run = replayTurn([init(), assistant("m1", [text("same"), text("same"), text("last")]), result("last")]);
    expect(eventsBetween(run)).toStrictEqual(unstreamed);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m1:2" });
  });

  test("are matched in order when they are consolidated only after all were streamed", () => {
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

  test("continue the count when the first was streamed and the second was not", () => {
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
