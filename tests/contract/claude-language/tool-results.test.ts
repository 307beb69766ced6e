import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import { assistant, init, messageStart, result, resultBlock, streamedTool, text, toolResult, toolUse, user } from "./lines.ts";
import { eventsOf, replayTurn } from "./replay-lines.ts";

const image: JsonObject = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

/** The tool-end events of a turn with one call and these result lines. */
function endsAfter(...answers: readonly JsonObject[]): readonly object[] {
  const call = assistant("m1", [toolUse("t1", { command: "ls" })]);
  return eventsOf(replayTurn([init(), call, ...answers, assistant("m2", [text("Done.")]), result("Done.")]), "tool-end");
}

const over = { type: "tool-end", id: "t1", name: "Bash", input: { command: "ls" }, isError: false };

describe("the output of a tool", () => {
  const outputs: readonly { readonly what: string; readonly content: JsonValue; readonly output: JsonValue }[] = [
    { what: "a string stays a string", content: "a\nb", output: "a\nb" },
    { what: "an empty string stays one", content: "", output: "" },
    { what: "a string that looks like JSON stays a string", content: '{"a":1}', output: '{"a":1}' },
    { what: "one text block becomes its text", content: [text("a")], output: "a" },
    { what: "several text blocks become lines", content: [text("a"), text(""), text("b\nc")], output: "a\n\nb\nc" },
    { what: "a list with an image stays a list", content: [text("a"), image], output: [text("a"), image] },
    { what: "a list of only an image stays a list", content: [image], output: [image] },
    { what: "a list of strings stays a list", content: ["a", "b"], output: ["a", "b"] },
  ];

  test.for(outputs)("$what", ({ content, output }) => {
    expect(endsAfter(toolResult("t1", content))).toStrictEqual([{ ...over, output }]);
  });

  test("may be missing", () => {
    const { content: _, ...block } = resultBlock("t1", null);
    expect(endsAfter(user([block]))).toMatchObject([over]);
  });

  test.for([
    { isError: true, flag: { is_error: true } },
    { isError: false, flag: { is_error: false } },
    { isError: false, flag: {} },
    { isError: false, flag: { is_error: null } },
  ])("has isError $isError when the flag of the block is $flag", ({ isError, flag }) => {
    expect(endsAfter(user([resultBlock("t1", "x", flag)]))).toStrictEqual([{ ...over, isError, output: "x" }]);
  });

  test.for<JsonValue>([{ stdout: "a", stderr: "" }, "Error: Exit code 3", [text("a")], 0, false])(
    "has %j as its details when the line has them",
    (details) => {
      expect(endsAfter(user([resultBlock("t1", "a")], { tool_use_result: details }))).toStrictEqual([
        { ...over, output: "a", details },
      ]);
    },
  );
});

describe("a tool result", () => {
  test("for an unknown call gives nothing", () => {
    expect(endsAfter(toolResult("t0", "?"), toolResult("t1", "x"), toolResult("t2", "?"))).toStrictEqual([
      { ...over, output: "x" },
    ]);
  });

  test("that comes twice counts once", () => {
    expect(endsAfter(toolResult("t1", "first"), toolResult("t1", "second"))).toStrictEqual([{ ...over, output: "first" }]);
  });

  test("that comes twice in one line counts once", () => {
    expect(endsAfter(user([resultBlock("t1", "first"), resultBlock("t1", "second")]))).toStrictEqual([
      { ...over, output: "first" },
    ]);
  });

  test("is found beside other blocks of its line", () => {
    expect(endsAfter(user([text("a reminder"), resultBlock("t1", "x"), image]))).toStrictEqual([{ ...over, output: "x" }]);
  });

  test("ends each call of its line", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [toolUse("t1", 1), toolUse("t2", 2)]),
      user([resultBlock("t2", "b"), resultBlock("t1", "a")]),
      assistant("m2", [text("Done.")]),
      result("Done."),
    ]);
    expect(eventsOf(run, "tool-end")).toStrictEqual([
      { type: "tool-end", id: "t2", name: "Bash", input: 2, output: "b", isError: false },
      { type: "tool-end", id: "t1", name: "Bash", input: 1, output: "a", isError: false },
    ]);
  });

  test("ends a call whose input is not yet complete", () => {
    const lines = [init(), messageStart("m1"), ...streamedTool(0, "t1", ['{"command":'])];
    const run = replayTurn([...lines, toolResult("t1", "early"), assistant("m2", [text("Done.")]), result("Done.")]);
    expect(eventsOf(run, "tool-end")).toMatchObject([
      { type: "tool-end", id: "t1", name: "Bash", output: "early", isError: false },
    ]);
    expect(run.result.toolCalls.map(({ synthetic }) => synthetic)).toStrictEqual([undefined]);
  });

  test("is not overwritten by the line that completes its call afterwards", () => {
    const lines = [init(), messageStart("m1"), ...streamedTool(0, "t1", ["{}"]), toolResult("t1", "early")];
    const run = replayTurn([...lines, assistant("m1", [toolUse("t1", {})]), assistant("m2", [text("Done.")]), result("Done.")]);
    expect(eventsOf(run, "tool-start", "tool-end")).toMatchObject([
      { type: "tool-start" },
      { type: "tool-end", output: "early" },
    ]);
  });

  test("is never classified as an error of the run", () => {
    const { result: folded } = replayTurn([
      init(),
      assistant("m1", [toolUse("t1", {})]),
      user([resultBlock("t1", "API Error: 529 Overloaded. Not logged in. Credit balance is too low", { is_error: true })]),
      assistant("m2", [text("Done.")]),
      result("Done."),
    ]);
    expect(folded.failure).toBe(undefined);
    expect(folded.text).toBe("Done.");
  });
});
