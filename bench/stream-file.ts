import { closeSync, openSync, writeSync } from "node:fs";

/** What an answer consists of; a model without tools makes no calls. */
export type StreamContent = "text" | "text and tools";

/** Writes stream-json of about the given size: text deltas, by default mixed with tool calls and results, and a `result` at the end. */
export function writeStreamFile(path: string, megabytes: number, content: StreamContent = "text and tools"): void {
  const file = openSync(path, "w");
  const session = "5f0c9a52-2c52-4c53-8f2f-0d6c8f7f9b11";
  const line = (value: object): number =>
    writeSync(file, `${JSON.stringify({ ...value, session_id: session, parent_tool_use_id: null })}\n`);
  let bytes = line({ type: "system", subtype: "init", cwd: "/", tools: [], mcp_servers: [], model: "bench" });
  for (let turn = 0; bytes < megabytes * 1024 * 1024; turn += 1) {
    bytes += writeText(line, `msg_${turn}`, WORDS);
    if (content === "text and tools") bytes += writeTool(line, turn);
  }
  writeText(line, "msg_last", ["Done."]);
  line({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "Done.",
    usage: { input_tokens: 1, output_tokens: 1 },
    total_cost_usd: 0,
  });
  closeSync(file);
}

type Line = (value: object) => number;

function writeEvent(line: Line, event: object): number {
  return line({ type: "stream_event", event, uuid: "7730a07b-0cdd-47ea-bea5-21cd6a2becd0" });
}

const WORDS: readonly string[] = Array.from({ length: 40 }, (_, index) => `word${index} `);

function writeText(line: Line, id: string, words: readonly string[]): number {
  let bytes = writeEvent(line, { type: "message_start", message: { id, role: "assistant", content: [] } });
  for (const text of words)
    bytes += writeEvent(line, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  return bytes + line({ type: "assistant", message: { id, model: "bench", content: [{ type: "text", text: words.join("") }] } });
}

function writeTool(line: Line, turn: number): number {
  const [id, tool] = [`msg_${turn}`, `toolu_${turn}`];
  let bytes = writeEvent(line, {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: tool, name: "Read", input: {} },
  });
  bytes += line({
    type: "assistant",
    message: { id, model: "bench", content: [{ type: "tool_use", id: tool, name: "Read", input: { path: "a" } }] },
  });
  const content = "0123456789 abcdefghij\n".repeat(100 + (turn % 300));
  bytes += line({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: tool, content }] } });
  return bytes;
}
