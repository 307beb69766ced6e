import { describe, expect, test } from "vitest";
import { assistant, blockStop, init, messageStart, messageStop, result, streamedText, text, textDelta } from "./lines.ts";
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
  ])("is reported again under a new id when it $relation", ({ streamed, whole }) => {
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

  test("adds nothing to a text that the end of its block had completed", () => {
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

  test("keeps pieces unchanged, even if a character is cut", () => {
    const [high, low] = ["\ud83d", "\ude00"];
    const lines = [init(), messageStart("m1"), textDelta(0, "a"), textDelta(0, `${high}${low}`), textDelta(0, "é\u2028\r\n")];
    const run = replayTurn([...lines, assistant("m1", [text("a😀é\u2028\r\n")]), result("a😀é\u2028\r\n")]);
    expect(eventsOf(run, "text-reset")).toStrictEqual([]);
    expect(run.result.text).toBe("a😀é\u2028\r\n");
  });
});
