import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import {
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
} from "./lines.ts";
import { eventsBetween, replayTurn } from "./replay-lines.ts";

/** The end that the CLI gives to a message of which it abandons the blocks from a number on (2.1.325). */
function closedStop(block: number): JsonObject {
  return { ...streamEvent({ type: "message_stop" }), abandoned_blocks: { api_message_id: "m1", from_block_index: block } };
}

describe("a message that the CLI closes and abandons", () => {
  test.each([
    ["names the blocks", [closedStop(1)]],
    ["asks its service again", [streamEvent({ type: "message_stop" }), system("api_retry", { attempt: 1 })]],
  ])("is taken back with the text when the CLI closes both and %s", (_, given) => {
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

  test("stays the partial text when the CLI says nothing else", () => {
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
});
