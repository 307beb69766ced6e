import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import {
  apiError,
  assistant,
  blockStop,
  init,
  messageStart,
  result,
  streamEvent,
  streamedText,
  streamedTool,
  system,
  text,
  thinking,
  toolResult,
  toolUse,
} from "./lines.ts";
import { eventsBetween, eventsOf, replayTurn } from "./replay-lines.ts";

/** The end of a message whose blocks the CLI abandons from an index on (2.1.325). */
function closedStop(block: number): JsonObject {
  return { ...streamEvent({ type: "message_stop" }), abandoned_blocks: { api_message_id: "m1", from_block_index: block } };
}

describe("a message that the CLI closes and abandons", () => {
  test.each([
    ["names the blocks", [closedStop(1)]],
    ["asks its service again", [streamEvent({ type: "message_stop" }), system("api_retry", { attempt: 1 })]],
  ])("is reset with the text when the CLI closes both and %s", (_, given) => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["First."]),
      assistant("m1", [text("First.")]),
      ...streamedText(1, ["I will"]),
      blockStop(1),
      ...streamedTool(2, "t1", ['{"comm']),
      blockStop(2),
      ...given,
      messageStart("m2"),
      ...streamedText(0, ["I will wait."]),
      assistant("m2", [text("I will wait.")]),
      result("I will wait."),
    ]);
    expect(eventsBetween(run).filter((event) => /"type":"\w+-reset"/.test(JSON.stringify(event)))).toEqual([
      { type: "text-reset", messageId: "m1:1" },
      { type: "tool-reset", id: "t1" },
    ]);
    expect(run.result).toMatchObject({ text: "I will wait.", toolCalls: [] });
  });

  test("stays the partial text when no other text follows", () => {
    const run = replayTurn([
      init(),
      messageStart("m1"),
      ...streamedText(0, ["I will"]),
      blockStop(0),
      closedStop(0),
      { ...result("API Error: Connection to the API was lost (ECONNRESET)."), is_error: true },
    ]);
    expect(run.result.failure).toMatchObject({ code: "connection-lost", partialText: "I will" });
  });

  const cut = [init(), messageStart("m1"), ...streamedText(0, ["cut te"]), blockStop(0), closedStop(0)];

  test.each([
    ["reasoning", [assistant("m2", [thinking("Hm.")]), assistant("m2", [text("Whole.")]), result("Whole.")]],
    [
      "a call",
      [assistant("m2", [toolUse("t1", {})]), toolResult("t1", "a"), assistant("m3", [text("Whole.")]), result("Whole.")],
    ],
    ["nothing but its result", [result("Whole.")]],
  ])("is reset once when the next message was not streamed and begins with %s", (_, rest) => {
    const run = replayTurn([...cut, ...rest]);
    expect(eventsOf(run, "text-reset")).toEqual([{ type: "text-reset", messageId: "m1" }]);
    expect(run.result.text).toBe("Whole.");
  });

  test("leaves no partial text of its blocks after the reset", () => {
    const run = replayTurn([
      ...[init(), messageStart("m1"), ...streamedText(0, ["one"]), blockStop(0), ...streamedText(1, ["two"]), blockStop(1)],
      ...[closedStop(0), messageStart("m2"), apiError("API Error: 500 oops", { api_error_status: 500 })],
    ]);
    expect(run.result.failure).toMatchObject({ code: "server-error" });
    expect(run.result.failure).not.toHaveProperty("partialText");
  });
});
