// The lines of the two wires that the hostile programs speak, and a synchronous way to print them.
import { writeSync } from "node:fs";

const SESSION = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const message = (content, id) => ({
  type: "assistant",
  message: { id, role: "assistant", model: "test-model", content },
  session_id: SESSION,
  parent_tool_use_id: null,
});

const claude = {
  name: "claude",
  version: "2.1.325 (Claude Code)",
  start: () => ({ type: "system", subtype: "init", session_id: SESSION, model: "test-model", tools: [], mcp_servers: [] }),
  say: (text, id = "msg_1") => message([{ type: "text", text }], id),
  tool: (id, input, name = "Bash") => message([{ type: "tool_use", id, name, input }], `msg_${id}`),
  toolEnd: (id, content) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    session_id: SESSION,
    parent_tool_use_id: null,
  }),
  ask: (requestId, input, name = "Bash") => ({
    type: "control_request",
    request_id: requestId,
    request: { subtype: "can_use_tool", tool_name: name, tool_use_id: "tool_1", input },
  }),
  end: (text, changes = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    stop_reason: "end_turn",
    session_id: SESSION,
    total_cost_usd: 0.01,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    permission_denials: [],
    ...changes,
  }),
  fail: (text) => claude.end(text, { is_error: true, subtype: "error_during_execution" }),
  usage: (counts, cost) => claude.end("All good.", { usage: counts, total_cost_usd: cost }),
  tokens: ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  streamed: (text) => ({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    session_id: SESSION,
    parent_tool_use_id: null,
  }),
  session: (id) => ({ ...claude.start(), session_id: id }),
};

const item = (type, fields, state = "completed") => ({ type: `item.${state}`, item: { type, ...fields } });

const codex = {
  name: "codex",
  version: "codex-cli 0.166.0",
  start: () => ({ type: "thread.started", thread_id: SESSION }),
  say: (text, id = "item_1") => item("agent_message", { id, text }),
  tool: (id, input) => item("mcp_tool_call", { id, server: "s", tool: "t", arguments: input, status: "in_progress" }, "started"),
  toolEnd: (id, content) =>
    item("mcp_tool_call", { id, server: "s", tool: "t", arguments: {}, result: { content }, status: "completed" }),
  end: (_text, changes = {}) => ({
    type: "turn.completed",
    usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 },
    ...changes,
  }),
  fail: (text) => ({ type: "turn.failed", error: { message: text } }),
  usage: (counts) => codex.end("All good.", { usage: counts }),
  tokens: ["input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens"],
  streamed: (text) => item("reasoning", { id: "item_0", text }),
  session: (id) => ({ type: "thread.started", thread_id: id }),
};

export const wires = { claude, codex };

/** Writes all bytes before it returns; a full pipe is tried again. */
export function write(bytes, descriptor = 1) {
  const buffer = Buffer.from(bytes);
  for (let offset = 0; offset < buffer.length; ) {
    try {
      offset += writeSync(descriptor, buffer, offset);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(0);
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

export function print(...values) {
  for (const value of values) write(`${JSON.stringify(value)}\n`);
}

/** Prints a good answer. */
export function answer(wire) {
  print(wire.start(), wire.say("All good."), wire.end("All good."));
}

/** JSON nested this deep, as text. */
export function deep(levels) {
  return `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;
}
