import type { JsonObject, JsonValue } from "../../src/spec/json.ts";
import type { ProgramStep } from "./program-step.ts";

/** The session of all processes of a soak. */
const SOAK_SESSION = "6f2c1c0e-3b1f-4c55-9d0a-0c6a3f1b7e21";

/** The tokens and the cost that a process reports. */
export type Spending = { readonly tokens: number; readonly usd?: number };

/** Prints a JSON value as a line. */
export function line(value: JsonObject): ProgramStep {
  return { out: `${JSON.stringify(value)}\n` };
}

function streamed(event: JsonObject): ProgramStep {
  return line({ type: "stream_event", event, session_id: SOAK_SESSION, parent_tool_use_id: null });
}

function delta(value: JsonObject): ProgramStep {
  return streamed({ type: "content_block_delta", index: 0, delta: value });
}

/** The first line of a session. */
export const INIT: ProgramStep = line({
  type: "system",
  subtype: "init",
  session_id: SOAK_SESSION,
  model: "soak-model",
  tools: [],
  mcp_servers: [],
});

/** A message in pieces; an open one is never ended. */
export function message(id: string, pieces: readonly string[], isOpen = false): readonly ProgramStep[] {
  const begun = [
    streamed({ type: "message_start", message: { id, role: "assistant", model: "soak-model", content: [] } }),
    streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...pieces.map((text) => delta({ type: "text_delta", text })),
  ];
  return isOpen ? begun : [...begun, streamed({ type: "content_block_stop", index: 0 })];
}

/** The reasoning of one message. */
export function reasoning(id: string): readonly ProgramStep[] {
  return [
    streamed({ type: "message_start", message: { id, role: "assistant", model: "soak-model", content: [] } }),
    delta({ type: "thinking_delta", thinking: "Let me think. " }),
    delta({ type: "thinking_delta", thinking: "I have thought." }),
  ];
}

/** A tool that runs, to its end or not. */
export function tool(isOpen: boolean): readonly ProgramStep[] {
  const use = { type: "tool_use", id: "tool_1", name: "Bash", input: { command: "true" } };
  const called = line({ type: "assistant", message: { id: "m0", role: "assistant", model: "soak-model", content: [use] } });
  // In a completion none of the CLI's own tools may run; the model has called one that does not exist.
  const content = "<tool_use_error>Error: No such tool available: Bash</tool_use_error>";
  const done = { type: "tool_result", tool_use_id: "tool_1", content, is_error: true };
  return isOpen ? [called] : [called, line({ type: "user", message: { role: "user", content: [done] } })];
}

/** Our own line: the usage so far. */
export function spending({ tokens, usd }: Spending): ProgramStep {
  return line({ type: "soak_spending", tokens, ...(usd !== undefined && { usd }) });
}

/** Our own line: an object. */
export function shownObject(object: JsonValue): ProgramStep {
  return line({ type: "soak_object", object });
}

/** The line that ends a turn. */
export function result(fields: JsonObject, spent?: Spending): ProgramStep {
  const usage = spent === undefined ? {} : { usage: { input_tokens: spent.tokens - 40, output_tokens: 40 } };
  const cost = spent?.usd === undefined ? {} : { total_cost_usd: spent.usd };
  return line({ type: "result", subtype: "success", is_error: false, session_id: SOAK_SESSION, ...usage, ...cost, ...fields });
}

/** The message with which Claude Code names an error before it ends the turn. */
export function errorMessage(word: string, text: string): ProgramStep {
  const content = [{ type: "text", text }];
  return line({ type: "assistant", error: word, message: { id: "error", role: "assistant", model: "<synthetic>", content } });
}
