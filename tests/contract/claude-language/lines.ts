import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";

/** The session of every line that names one. */
export const SESSION_ID = "24f4f4e9-84c7-44a0-b65d-16fbe2c830dd";

/** The uuid of every `result` line, unless another is given. */
export const RESULT_UUID = "3ac52f1e-3a5f-4c1c-9f1b-7d2a4c5e6f70";

/** The call that a line belongs to, null for the main conversation. */
export type Parent = string | null;

/** The first line of a turn. */
export function init(fields: JsonObject = {}): JsonObject {
  return {
    type: "system",
    subtype: "init",
    cwd: "/workspace",
    session_id: SESSION_ID,
    tools: ["Task", "Bash"],
    mcp_servers: [],
    model: "claude-opus-4-8[1m]",
    permissionMode: "default",
    apiKeySource: "ANTHROPIC_API_KEY",
    claude_code_version: "2.1.197",
    uuid: "7a4c5b0e-0f5b-4f0e-8d0e-3f8b8d7c6a51",
    ...fields,
  };
}

/** A `system` line of any subtype. */
export function system(subtype: string, fields: JsonObject = {}): JsonObject {
  return { type: "system", subtype, ...fields, uuid: "40fa91f2-d96d-4354-a2fb-a9c19b80d3b0", session_id: SESSION_ID };
}

/** A raw event of the Messages API, as partial messages carry it. */
export function streamEvent(event: JsonValue, parent: Parent = null): JsonObject {
  return {
    type: "stream_event",
    event,
    session_id: SESSION_ID,
    parent_tool_use_id: parent,
    uuid: "c16a959c-d034-41ea-a7a7-a967477410df",
  };
}

/** A message begins to stream. */
export function messageStart(id: string, parent: Parent = null): JsonObject {
  const message = { id, type: "message", role: "assistant", model: "claude-opus-4-8", content: [], stop_reason: null };
  return streamEvent({ type: "message_start", message }, parent);
}

/** A block begins to stream. */
export function blockStart(index: number, block: JsonObject, parent: Parent = null): JsonObject {
  return streamEvent({ type: "content_block_start", index, content_block: block }, parent);
}

/** A piece of a block, of any kind. */
export function blockDelta(index: number, delta: JsonObject, parent: Parent = null): JsonObject {
  return streamEvent({ type: "content_block_delta", index, delta }, parent);
}

/** A piece of a text block. */
export function textDelta(index: number, piece: string, parent: Parent = null): JsonObject {
  return blockDelta(index, { type: "text_delta", text: piece }, parent);
}

/** A piece of a thinking block. */
export function thinkingDelta(index: number, piece: string, parent: Parent = null): JsonObject {
  return blockDelta(index, { type: "thinking_delta", thinking: piece }, parent);
}

/** A piece of the JSON text of a tool's input. */
export function inputDelta(index: number, piece: string, parent: Parent = null): JsonObject {
  return blockDelta(index, { type: "input_json_delta", partial_json: piece }, parent);
}

/** The end of a block. */
export function blockStop(index: number, parent: Parent = null): JsonObject {
  return streamEvent({ type: "content_block_stop", index }, parent);
}

/** The end of a message, with its stop reason. */
export function messageStop(stopReason = "end_turn", parent: Parent = null): readonly JsonObject[] {
  const delta = { stop_reason: stopReason, stop_sequence: null };
  const end = streamEvent({ type: "message_delta", delta, usage: { output_tokens: 42 } }, parent);
  return [end, streamEvent({ type: "message_stop" }, parent)];
}

/** A text block that begins at an index and comes in pieces, without its end. */
export function streamedText(index: number, pieces: readonly string[], parent: Parent = null): readonly JsonObject[] {
  return [blockStart(index, text(""), parent), ...pieces.map((piece) => textDelta(index, piece, parent))];
}

/** A tool_use block that begins at an index and whose input comes in pieces, without its end. */
export function streamedTool(index: number, id: string, pieces: readonly string[], parent: Parent = null): readonly JsonObject[] {
  return [blockStart(index, toolUse(id, {}), parent), ...pieces.map((piece) => inputDelta(index, piece, parent))];
}

/** A text block. */
export function text(content: string): JsonObject {
  return { type: "text", text: content };
}

/** A thinking block. */
export function thinking(content: string): JsonObject {
  return { type: "thinking", thinking: content, signature: "c2lnbmF0dXJl" };
}

/** A tool_use block. */
export function toolUse(id: string, input: JsonValue, name = "Bash"): JsonObject {
  return { type: "tool_use", id, name, input };
}

/** A consolidated message; the CLI prints one line for each block. */
export function assistant(id: string, blocks: JsonValue, parent: Parent = null): JsonObject {
  const message = { id, type: "message", role: "assistant", model: "claude-opus-4-8", content: blocks, stop_reason: null };
  return {
    type: "assistant",
    message,
    parent_tool_use_id: parent,
    session_id: SESSION_ID,
    uuid: "c7e7c08a-eb3a-4bfb-abda-13b10c667de7",
  };
}

/** A message of the CLI itself in place of the model's, with its error name if it has one. */
export function synthetic(content: string, error?: string): JsonObject {
  const message = { id: "387e7039-1dc6-430b-bacc-4be381ab34dc", model: "<synthetic>", role: "assistant", type: "message" };
  const line = { type: "assistant", message: { ...message, content: [text(content)] }, parent_tool_use_id: null };
  return { ...line, session_id: SESSION_ID, ...(error === undefined ? {} : { error }) };
}

/** A `user` line with any content. */
export function user(content: JsonValue, fields: JsonObject = {}): JsonObject {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: SESSION_ID, ...fields };
}

/** A tool result as a block; fields override those of the block. */
export function resultBlock(id: string, content: JsonValue, fields: JsonObject = {}): JsonObject {
  return { type: "tool_result", tool_use_id: id, content, ...fields };
}

/** A tool result as the line that the CLI prints. */
export function toolResult(id: string, content: JsonValue, parent: Parent = null): JsonObject {
  return user([resultBlock(id, content)], { parent_tool_use_id: parent });
}

/** The counts of `usage` in a `result` line. */
export function counts(input: number, write: number, read: number, output: number): JsonObject {
  return {
    input_tokens: input,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    output_tokens: output,
    service_tier: "standard",
  };
}

/** The last line of a successful turn; fields override those of the line. */
export function result(answer: string, fields: JsonObject = {}): JsonObject {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    api_error_status: null,
    num_turns: 1,
    result: answer,
    stop_reason: "end_turn",
    session_id: SESSION_ID,
    total_cost_usd: 0.0023,
    usage: counts(25, 100, 1000, 42),
    modelUsage: {},
    permission_denials: [],
    terminal_reason: "completed",
    uuid: RESULT_UUID,
    ...fields,
  };
}

/** The last line of a failed turn, as the CLI prints it for errors of the API. */
export function apiError(message: string, fields: JsonObject = {}): JsonObject {
  const nothing = { total_cost_usd: 0, usage: counts(0, 0, 0, 0), stop_reason: "stop_sequence" };
  return result(message, { is_error: true, ...nothing, ...fields });
}

/** The last line of a turn that the CLI ended early: no `result`, but `errors`. */
export function executionError(subtype: string, fields: JsonObject = {}): JsonObject {
  const { result: _, api_error_status: __, ...rest } = apiError("", { subtype, errors: ["[ede_diagnostic] result_type=user"] });
  return { ...rest, ...fields };
}
