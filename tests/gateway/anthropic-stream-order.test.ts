import { expect, it } from "vitest";
import { findStreamBreaches } from "./anthropic-stream-order.ts";

const START = { type: "message_start", message: {} };
const TEXT = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const PIECE = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } };
const CLOSE = { type: "content_block_stop", index: 0 };
const END = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } };
const STOP = { type: "message_stop" };
const THOUGHT = { ...TEXT, content_block: { type: "thinking", thinking: "", signature: "" } };
const THINKING = { ...PIECE, delta: { type: "thinking_delta", thinking: "Hm" } };

function streamOf(...events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

it.each([
  ["complete", [START, { type: "ping" }, TEXT, PIECE, CLOSE, END, STOP]],
  ["complete", [START, END, STOP]],
  ["failed", [START, TEXT, PIECE, { type: "error" }]],
  ["cut", [START, TEXT, PIECE]],
] as const)("a good stream is %s", (state, events) => {
  expect(findStreamBreaches(streamOf(...events))).toEqual({ state, breaches: [] });
});

it.each([
  ["no beginning", [TEXT, PIECE, CLOSE, END, STOP], 5],
  ["an empty block", [START, TEXT, CLOSE, END, STOP], 1],
  ["a block that stays open", [START, TEXT, PIECE, END, STOP], 1],
  ["a delta of another type", [START, TEXT, THINKING, CLOSE, END, STOP], 1],
  ["a thought without a signature", [START, THOUGHT, THINKING, CLOSE, END, STOP], 1],
  ["a wrong index", [START, { ...TEXT, index: 1 }, PIECE, CLOSE, END, STOP], 1],
  ["no stop reason", [START, TEXT, PIECE, CLOSE, STOP], 1],
  ["events after the end", [START, END, STOP, END], 1],
] as const)("the checker finds %s", (_, events, count) => {
  expect(findStreamBreaches(streamOf(...events)).breaches).toHaveLength(count);
});

it("the checker finds an event that has another name than its data, and one that is cut", () => {
  expect(findStreamBreaches('event: ping\ndata: {"type":"message_start"}\n\nevent: ping\ndata').breaches).toHaveLength(2);
});
