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
  thinking,
  toolResult,
  toolUse,
} from "./lines.ts";
import { endOf, eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

describe("text that the CLI abandons", () => {
  test("is reset before the message that replaces it without having been streamed", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel", "lo wo"]),
      assistant("m2", [text("Hello world.")]),
      result("Hello world."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-delta", messageId: "m1", text: "lo wo" },
      { type: "text-reset", messageId: "m1" },
      { type: "text-delta", messageId: "m2", text: "Hello world." },
      { type: "text-end", messageId: "m2" },
    ]);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "stop", answerId: "m2" });
    expect(run.result.text).toBe("Hello world.");
  });

  test("is reset as soon as another message begins to stream", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel"]),
      messageStart("m2"),
      ...streamedText(0, ["Hello", "."]),
      assistant("m2", [text("Hello.")]),
      blockStop(0),
      ...messageStop(),
      result("Hello."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-reset", messageId: "m1" },
      { type: "text-delta", messageId: "m2", text: "Hello" },
      { type: "text-delta", messageId: "m2", text: "." },
      { type: "text-end", messageId: "m2" },
    ]);
    expect(run.result.text).toBe("Hello.");
  });

  test("is reset each time when the CLI abandons text twice in a row", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["one"]),
      messageStart("m2"),
      ...streamedText(0, ["two"]),
      assistant("m3", [text("three")]),
      result("three"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "one" },
      { type: "text-reset", messageId: "m1" },
      { type: "text-delta", messageId: "m2", text: "two" },
      { type: "text-reset", messageId: "m2" },
      { type: "text-delta", messageId: "m3", text: "three" },
      { type: "text-end", messageId: "m3" },
    ]);
  });

  test("does not reset complete blocks of the same message", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["whole"]),
      assistant("m1", [text("whole")]),
      blockStop(0),
      ...streamedText(1, ["bro"]),
      messageStart("m2"),
      ...streamedText(0, ["new"]),
      assistant("m2", [text("new")]),
      result("new"),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "whole" },
      { type: "text-end", messageId: "m1" },
      { type: "text-delta", messageId: "m1:1", text: "bro" },
      { type: "text-reset", messageId: "m1:1" },
      { type: "text-delta", messageId: "m2", text: "new" },
      { type: "text-end", messageId: "m2" },
    ]);
  });

  test("needs no reset when its message began without text", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, [""]),
      messageStart("m2"),
      ...streamedText(0, ["Hello."]),
      assistant("m2", [text("Hello.")]),
      result("Hello."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m2", text: "Hello." },
      { type: "text-end", messageId: "m2" },
    ]);
  });

  test("is not part of the partial text of a run that then fails", () => {
    const { result: folded } = replayTurn([init(), messageStart("m1"), ...streamedText(0, ["Hel"]), messageStart("m2")], {
      exitCode: 1,
    });
    expect(folded.failure?.code).toBe("no-terminal-event");
    expect(folded.failure?.partialText).toBe(undefined);
  });

  test("is replaced in the partial text by the last message that was not reset", () => {
    const { result: folded } = replayTurn(
      [init(), assistant("m1", [text("First.")]), messageStart("m2"), ...streamedText(0, ["Sec"]), messageStart("m3")],
      { exitCode: 1 },
    );
    expect(folded.failure?.partialText).toBe("First.");
  });
});

describe("a message id that is used again", () => {
  test("gives the declared answer when the same message begins to stream a second time", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel"]),
      messageStart("m1"),
      ...streamedText(0, ["Hello", "."]),
      assistant("m1", [text("Hello.")]),
      blockStop(0),
      result("Hello."),
    ]);
    expect(run.result.text).toBe("Hello.");
  });

  test("gives the declared answer when a message comes again whose text had been reset", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel"]),
      messageStart("m2"),
      ...streamedText(0, ["Goo"]),
      messageStart("m1"),
      ...streamedText(0, ["Hello."]),
      assistant("m1", [text("Hello.")]),
      blockStop(0),
      result("Hello."),
    ]);
    expect(eventsBetween(run).slice(0, 4)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: "Hel" },
      { type: "text-reset", messageId: "m1" },
      { type: "text-delta", messageId: "m2", text: "Goo" },
      { type: "text-reset", messageId: "m2" },
    ]);
    expect(run.result.text).toBe("Hello.");
  });

  test("gives the declared answer when the consolidated message comes again after its text had been reset", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["Hel"]),
      assistant("m2", [text("Other.")]),
      assistant("m1", [text("Hello.")]),
      result("Hello."),
    ]);
    expect(run.result.text).toBe("Hello.");
  });
});

describe("a message id that is used again after another message", () => {
  test("does not add the complete earlier text to the answer", () => {
    const lines = [
      init(),
      assistant("m1", [text("Hello.")]),
      assistant("m2", [thinking("Hm.")]),
      assistant("m1", [text("Hello.")]),
    ];
    expect(replayTurn([...lines, result("Hello.")]).result.text).toBe("Hello.");
  });
});

describe("a call of a message that the CLI abandons", () => {
  test("is reset: it never ran, and is no call of the result", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["I will"]),
      ...streamedTool(1, "t1", ['{"comm']),
      assistant("m2", [text("I will run it.")]),
      assistant("m2", [toolUse("t2", { command: "ls" })]),
      toolResult("t2", "a.txt"),
      assistant("m3", [text("Done.")]),
      result("Done."),
    ]);
    expect(run.result.toolCalls).toMatchObject([{ id: "t2", output: "a.txt" }]);
    expect(eventsOf(run, "tool-reset")).toMatchObject([{ id: "t1" }]);
    expect(run.result.text).toBe("Done.");
  });
});
