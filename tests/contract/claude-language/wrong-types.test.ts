import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import * as lines from "./lines.ts";
import { replayLines, replayOutput } from "./replay-lines.ts";

const { assistant, blockDelta, blockStart, blockStop, messageStart, text, textDelta, thinking, toolResult, toolUse } = lines;
const denial = { tool_name: "Bash", tool_use_id: "t1", tool_input: {} };
const model = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4, costUSD: 0.1 };
const question = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t1" };
const rich = { permission_denials: [denial], structured_output: { n: 1 }, modelUsage: { opus: model } };

/** One turn with a line of every type; each is broken in turn while the others stay valid. */
const turn: readonly { readonly kind: string; readonly line: JsonObject }[] = [
  { kind: "init", line: lines.init({ mcp_servers: [{ name: "demo", status: "failed" }] }) },
  {
    kind: "api_retry",
    line: lines.system("api_retry", { attempt: 1, max_retries: 2, retry_delay_ms: 3, error_status: 500, error: "x" }),
  },
  { kind: "model_fallback", line: lines.system("model_fallback", { content: "Switched." }) },
  { kind: "status", line: lines.system("status", { status: "requesting" }) },
  { kind: "message_start", line: messageStart("m1") },
  { kind: "content_block_start of thinking", line: blockStart(0, { type: "thinking", thinking: "", signature: "" }) },
  { kind: "thinking_delta", line: lines.thinkingDelta(0, "Hm.") },
  { kind: "signature_delta", line: blockDelta(0, { type: "signature_delta", signature: "c2ln" }) },
  { kind: "assistant with thinking", line: assistant("m1", [thinking("Hm.")]) },
  { kind: "content_block_start of text", line: blockStart(1, text("")) },
  { kind: "text_delta", line: textDelta(1, "I lo") },
  { kind: "assistant with text", line: assistant("m1", [text("I look.")]) },
  { kind: "content_block_stop", line: blockStop(1) },
  { kind: "content_block_start of tool_use", line: blockStart(2, toolUse("t1", {})) },
  { kind: "input_json_delta", line: lines.inputDelta(2, '{"a":1}') },
  { kind: "assistant with tool_use", line: assistant("m1", [toolUse("t1", { a: 1 })]) },
  {
    kind: "message_delta",
    line: lines.streamEvent({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } }),
  },
  { kind: "control_request", line: { type: "control_request", request_id: "r1", request: question } },
  { kind: "control_response", line: { type: "control_response", response: { subtype: "success", request_id: "i1" } } },
  { kind: "user with tool_result", line: { ...toolResult("t1", [text("out")]), tool_use_result: { stdout: "out" } } },
  { kind: "assistant of a sub-agent", line: assistant("s1", [text("sub"), toolUse("t2", {})], "t1") },
  { kind: "synthetic assistant", line: lines.synthetic("API Error: 500", "server_error") },
  { kind: "assistant with the answer", line: assistant("m2", [text("Done.")]) },
  { kind: "result", line: lines.result("Done.", rich) },
];

const wrongValues: readonly JsonValue[] = [
  null,
  0,
  -1,
  1.5,
  true,
  false,
  "",
  "odd",
  [],
  [null],
  [[]],
  ["x"],
  [{}],
  {},
  { type: "text" },
  { type: "tool_use" },
];

describe("a line with a wrong type in one field", () => {
  test.for(turn)("affects only its own meaning: $kind", ({ line }) => {
    const place = turn.findIndex((entry) => entry.line === line);
    let broken = 0;
    for (const wrong of breakEverywhere(line)) {
      const output = turn.map((entry, index) => (index === place ? wrong : entry.line));
      // Every other wrong value of a field is tested with a process that fails.
      expect(replayLines(output, { exitCode: broken % 2 }).length).toBeGreaterThan(0);
      broken += 1;
    }
    expect(broken).toBeGreaterThan(20);
  });

  test("affects nothing else when every field of the result is wrong and the output is one document", () => {
    const result = lines.result("Done.", rich);
    for (const wrong of breakEverywhere(result)) {
      expect(replayOutput("json", JSON.stringify(wrong)).length).toBe(1);
      expect(replayOutput("json", JSON.stringify([turn[0]?.line ?? null, wrong]), { exitCode: 1 }).length).toBe(1);
    }
  });
});

describe("a line of which only the type is right", () => {
  const types = ["system", "assistant", "user", "stream_event", "result", "control_request", "control_response"];
  const rest: readonly JsonObject[] = [
    {},
    { subtype: "init" },
    { subtype: "api_retry" },
    { subtype: "model_fallback" },
    { message: null },
    { message: "text" },
    { message: { content: "text" } },
    { message: { id: 5, content: ["text", 5, null, []] } },
    {
      message: {
        content: [{ type: "text", text: "no id" }, { type: "tool_use" }, { type: "tool_result" }, { type: "thinking" }],
      },
    },
    { event: null },
    { event: "message_start" },
    { event: { type: "message_start" } },
    { event: { type: "content_block_delta", index: 7, delta: { type: "text_delta", text: "no message" } } },
    { event: { type: "content_block_delta", index: "0", delta: { type: "input_json_delta", partial_json: 5 } } },
    { event: { type: "content_block_stop", index: 99 } },
    { request: null },
    { request: { subtype: "can_use_tool" } },
    { is_error: true },
    { is_error: true, result: { a: 1 }, errors: "text", api_error_status: "500" },
    { is_error: "yes", subtype: 5, stop_reason: {} },
    { usage: { input_tokens: "many", output_tokens: null }, total_cost_usd: "much", modelUsage: { a: 5, b: null } },
    { permission_denials: [null, 5, {}, { tool_name: 5, tool_use_id: {}, tool_input: null }] },
  ];

  const odd = types.flatMap((type) => rest.map((fields): JsonObject => ({ type, ...fields })));
  test.for(odd)("has no effect: %j", (line) => {
    const whole = turn.map((entry) => entry.line);
    // Every third place, and another third for the next line.
    for (let place = odd.indexOf(line) % 3; place <= whole.length; place += 3)
      expect(replayLines([...whole.slice(0, place), line, ...whole.slice(place)]).length).toBeGreaterThan(0);
    expect(replayLines([line], { exitCode: 1 }).length).toBe(1);
    expect(replayOutput("json", JSON.stringify(line)).length).toBe(1);
  });
});

/** Every way to put one wrong value into a line or to remove one key. */
function* breakEverywhere(value: JsonValue): Generator<JsonObject> {
  for (const broken of breakInside(value)) if (isObject(broken)) yield broken;
}

function* breakInside(value: JsonValue): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries())
      for (const wrong of [...wrongValues, ...breakInside(entry)]) yield value.with(index, wrong);
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      for (const wrong of [...wrongValues, ...breakInside(entry)]) yield { ...value, [key]: wrong };
    }
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
