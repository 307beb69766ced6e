import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../../../src/spec/json.ts";
import { fillMark } from "../../../src/testing/call-mark.ts";
import type { FakeUsage } from "../../../src/testing/index.ts";
import { callBlock } from "../../support/clis/call-blocks.ts";
import { claimAnswer } from "./claim-answer.ts";

// A program in Claude's place that gives the script's answer of this start.
const { answer } = claimAnswer();
const shell = { id: "msg_1", type: "message", role: "assistant", model: "scripted-model" };

process.stdin.once("data", (input) => {
  const hasSchema = String(input).includes('"jsonSchema"');
  const tools = hasSchema ? ["StructuredOutput"] : [];
  print({ type: "system", subtype: "init", session_id: "scripted", model: "scripted-model", tools, mcp_servers: [] });
  void speak(hasSchema);
});

async function speak(hasSchema: boolean): Promise<void> {
  if (answer.kind === "failure") return fail();
  const usage = toUsage("usage" in answer ? answer.usage : {});
  const text = fillMark(textOf(hasSchema), process.env["SCRIPT_WORDS"] ?? "");
  event({ type: "message_start", message: { ...shell, content: [], usage: toUsage() } });
  if (answer.kind === "text" && answer.thinking !== undefined) think(answer.thinking);
  if (text !== "") say(text);
  if (answer.kind === "stall") await delay(2 ** 31 - 1);
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage });
  event({ type: "message_stop" });
  const isObject = answer.kind === "object" && hasSchema;
  const result = isObject ? JSON.stringify(answer.object) : text;
  end({ is_error: false, usage, result, ...(isObject ? { structured_output: answer.object } : {}) });
}

/** An object is reported separately only if the CLI got the schema. */
function textOf(hasSchema: boolean): string {
  switch (answer.kind) {
    case "text":
      return answer.text;
    case "calls":
      return callBlock(...answer.calls);
    case "object":
      return hasSchema ? "" : JSON.stringify(answer.object);
    case "stall":
      return "Half an answer";
    default:
      return "";
  }
}

function think(thinking: string): void {
  event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } });
  for (const piece of thinking.split(/(?<= )/))
    event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: piece } });
  event({ type: "content_block_stop", index: 0 });
}

function say(text: string): void {
  const [block, middle] = [{ type: "text", text }, Math.ceil(text.length / 2)];
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  for (const piece of [text.slice(0, middle), text.slice(middle)])
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } });
  print({ type: "assistant", message: { ...shell, content: [block], usage: toUsage() }, parent_tool_use_id: null });
  event({ type: "content_block_stop", index: 0 });
}

function fail(): void {
  const text = "Credit balance is too low";
  const message = { ...shell, model: "<synthetic>", content: [{ type: "text", text }] };
  print({ type: "assistant", message, parent_tool_use_id: null, error: "billing_error" });
  end({ is_error: true, api_error_status: 400, result: text });
}

function end(fields: JsonObject): void {
  print({ type: "result", subtype: "success", session_id: "scripted", ...fields });
  process.stdin.unref();
}

function event(value: JsonObject): void {
  print({ type: "stream_event", event: value, parent_tool_use_id: null });
}

function print(value: JsonObject): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function toUsage({
  inputTokens = 100,
  outputTokens = 20,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: FakeUsage = {}): JsonObject {
  return {
    input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
  };
}
