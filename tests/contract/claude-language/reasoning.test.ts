import { describe, expect, test } from "vitest";
import {
  assistant,
  blockDelta,
  blockStart,
  blockStop,
  init,
  messageStart,
  messageStop,
  result,
  streamedText,
  text,
  thinking,
  thinkingDelta,
} from "./lines.ts";
import { eventsBetween, replayTurn } from "./replay-lines.ts";

const answer = [
  { type: "text-delta", messageId: "m1", text: "Four." },
  { type: "text-end", messageId: "m1" },
];

describe("reasoning", () => {
  test("is reported in its streamed pieces, and not again when it is consolidated", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      thinkingDelta(0, "Two and "),
      thinkingDelta(0, "two."),
      blockDelta(0, { type: "signature_delta", signature: "c2lnbmF0dXJl" }),
      assistant("m1", [thinking("Two and two.")]),
      blockStop(0),
      ...streamedText(1, ["Four."]),
      assistant("m1", [text("Four.")]),
      blockStop(1),
      ...messageStop(),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "reasoning-delta", messageId: "m1", text: "Two and " },
      { type: "reasoning-delta", messageId: "m1", text: "two." },
      ...answer,
    ]);
    expect(run.result.text).toBe("Four.");
  });

  test("is reported whole when none of it was streamed", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [thinking("Two and two.")]),
      assistant("m1", [text("Four.")]),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([{ type: "reasoning-delta", messageId: "m1", text: "Two and two." }, ...answer]);
  });

  test("of two blocks is reported for each when none of it was streamed", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [thinking("Two.")]),
      assistant("m1", [thinking("And two.")]),
      assistant("m1", [text("Four.")]),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "reasoning-delta", messageId: "m1", text: "Two." },
      { type: "reasoning-delta", messageId: "m1", text: "And two." },
      ...answer,
    ]);
  });

  test("that was streamed in one message does not suppress that of the next", () => {
    const run = replayTurn([
      init(),
      messageStart("m0"),
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      thinkingDelta(0, "First."),
      assistant("m0", [thinking("First.")]),
      blockStop(0),
      ...messageStop("tool_use"),
      assistant("m1", [thinking("Second.")]),
      assistant("m1", [text("Four.")]),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "reasoning-delta", messageId: "m0", text: "First." },
      { type: "reasoning-delta", messageId: "m1", text: "Second." },
      ...answer,
    ]);
  });

  test("that is empty, redacted or only a signature gives nothing", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      thinkingDelta(0, ""),
      blockDelta(0, { type: "signature_delta", signature: "c2lnbmF0dXJl" }),
      assistant("m1", [thinking("")]),
      blockStop(0),
      blockStart(1, { type: "redacted_thinking", data: "b3BhcXVl" }),
      assistant("m1", [{ type: "redacted_thinking", data: "b3BhcXVl" }]),
      blockStop(1),
      ...streamedText(2, ["Four."]),
      assistant("m1", [text("Four.")]),
      blockStop(2),
      ...messageStop(),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual(answer);
  });

  test("that does not equal the streamed text is not reported again", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      thinkingDelta(0, "Two"),
      assistant("m1", [thinking("Something else.")]),
      assistant("m1", [text("Four.")]),
      result("Four."),
    ]);
    expect(eventsBetween(run)).toStrictEqual([{ type: "reasoning-delta", messageId: "m1", text: "Two" }, ...answer]);
  });

  test("is never part of the answer or of the partial text", () => {
    const { result: folded } = replayTurn([init(), messageStart("m1"), thinkingDelta(0, "Two and two.")], { exitCode: 1 });
    expect(folded.text).toBe("");
    expect(folded.failure?.partialText).toBe(undefined);
  });
});
