// The lines of `claude --output-format stream-json` that the programs of this folder print, and a synchronous way to print
// them.
import { writeSync } from "node:fs";

const SESSION = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const line = (value) => ({ ...value, session_id: SESSION, parent_tool_use_id: null });
const streamed = (event) => line({ type: "stream_event", event });

export const init = () => ({
  type: "system",
  subtype: "init",
  session_id: SESSION,
  model: "test-model",
  tools: [],
  mcp_servers: [],
});
export const messageStart = (id) =>
  streamed({ type: "message_start", message: { id, role: "assistant", model: "test-model", content: [] } });
export const textStart = () => streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
export const textDelta = (text) => streamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
export const textStop = () => streamed({ type: "content_block_stop", index: 0 });
export const assistant = (text, id = "msg_1") =>
  line({ type: "assistant", message: { id, role: "assistant", model: "test-model", content: [{ type: "text", text }] } });
export const result = (text) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: text,
  stop_reason: "end_turn",
  session_id: SESSION,
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  permission_denials: [],
});

/** The lines of a complete answer. */
export const answer = (text) => [init(), assistant(text), result(text)];

/** Writes all bytes before it returns, so that nothing is lost when the program ends next. */
export function writeAll(bytes, descriptor = 1) {
  const buffer = Buffer.from(bytes);
  for (let offset = 0; offset < buffer.length; ) offset += writeSync(descriptor, buffer, offset);
}

export function print(...values) {
  for (const value of values) writeAll(`${JSON.stringify(value)}\n`);
}
