import type { FakeAnswer, FakeApiProtocol } from "../../src/testing/index.ts";

const SSE = "text/event-stream; charset=utf-8";

/** A stream that ends in the middle of the input of a tool call, for the protocols that have one. */
export function openToolCall(protocol: FakeApiProtocol, tool: string): FakeAnswer | undefined {
  if (protocol === "anthropic-messages") return { kind: "garbage", contentType: SSE, body: anthropic(tool) };
  if (protocol === "openai-chat") return { kind: "garbage", contentType: SSE, body: chat(tool) };
  return undefined;
}

const MESSAGE = {
  id: "msg_open_call",
  type: "message",
  role: "assistant",
  model: "fake",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};

function anthropic(tool: string): string {
  const events = [
    { type: "message_start", message: MESSAGE },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me look." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_open", name: tool, input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"command": "touch made' } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function chat(tool: string): string {
  const call = { index: 0, id: "call_open", type: "function", function: { name: tool, arguments: '{"command": "touch made' } };
  const deltas = [{ role: "assistant", content: "Let me look." }, { tool_calls: [call] }];
  const chunks = deltas.map((delta) => ({
    id: "chatcmpl-open",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "fake",
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
}
