import type { JsonObject } from "../../src/index.ts";

const SESSION = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const MESSAGE = { id: "msg_1", role: "assistant", model: "test-model" };

/** How a CLI delivers its answer: as one message, or in pieces before it. */
export type Delivery = "whole" | "streamed";

/** The characters of one piece; an answer of 5 MB has ten thousand. */
const PIECE = 512;

/** The lines with which Claude Code gives this answer. */
export function claudeAnswer(text: string, delivery: Delivery): string {
  const lines: JsonObject[] = [
    { type: "system", subtype: "init", session_id: SESSION, model: "test-model", tools: [], mcp_servers: [] },
    ...(delivery === "streamed" ? streamedLines(text) : []),
    { ...stamp("assistant"), message: { ...MESSAGE, content: [{ type: "text", text }] } },
    {
      ...{ type: "result", subtype: "success", is_error: false, result: text, stop_reason: "end_turn", session_id: SESSION },
      ...{ total_cost_usd: 0, usage: { input_tokens: 1, output_tokens: 1 }, permission_denials: [] },
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function streamedLines(text: string): readonly JsonObject[] {
  const streamed = (event: JsonObject): JsonObject => ({ ...stamp("stream_event"), event });
  const pieces: JsonObject[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    const delta = { type: "text_delta", text: text.slice(at, at + PIECE) };
    pieces.push(streamed({ type: "content_block_delta", index: 0, delta }));
  }
  return [
    streamed({ type: "message_start", message: { ...MESSAGE, content: [] } }),
    streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...pieces,
    streamed({ type: "content_block_stop", index: 0 }),
  ];
}

function stamp(type: string): JsonObject {
  return { type, session_id: SESSION, parent_tool_use_id: null };
}
