import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { qwenStream } from "./stream.ts";

function read(natives: readonly JsonValue[]): readonly WireStep[] {
  const turn = qwenStream.start({});
  return natives.map((native) => turn.step(native));
}

const eventsOf = (natives: readonly JsonValue[]): readonly unknown[] => read(natives).flatMap(({ events }) => events);

const event = (type: string, fields: JsonObject = {}): JsonObject => ({
  type: "stream_event",
  parent_tool_use_id: null,
  event: { type, ...fields },
});
const begin = (id: string): JsonObject => event("message_start", { message: { id } });
const open = (block: JsonObject): JsonObject => event("content_block_start", { index: 0, content_block: block });
const piece = (text: string): JsonObject => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
const stop = event("content_block_stop", { index: 0 });
const text = (id: string, whole: string): readonly JsonObject[] => [begin(id), open({ type: "text" }), piece(whole), stop];
const assistant = (id: string, block: JsonObject, tokens = 0): JsonObject => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, content: [block], usage: { input_tokens: tokens, output_tokens: tokens } },
});
const retry = (data: JsonObject): JsonObject => ({ type: "system", subtype: "retry", parent_tool_use_id: null, data });
const toolResult = (id: string, content: string): JsonObject => ({
  type: "user",
  parent_tool_use_id: null,
  message: { content: [{ type: "tool_result", tool_use_id: id, is_error: true, content }] },
});
const call = (id: string, input: JsonObject): readonly JsonObject[] => [
  open({ type: "tool_use", id, name: "run_shell_command", input: {} }),
  event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } }),
  stop,
  assistant(`${id}-line`, { type: "tool_use", id, name: "run_shell_command", input }, 3),
];
const result = (whole: string): JsonObject => ({ type: "result", subtype: "success", uuid: "u", is_error: false, result: whole });

/** The recordings cutclean, argsbad, maxtok-agent and tool-long of 0.24.4, shortened. */
const ABANDONED = [...text("a", "Half "), assistant("a", { type: "text", text: "Half " }), event("message_stop")];
const ANSWERED = [...text("b", "Whole."), assistant("b", { type: "text", text: "Whole." }, 5), result("Whole.")];

it("text of an answer that Qwen Code requests again is reset once, even if the text had ended", () => {
  const again = retry({ reason: "retry", discardedToolCalls: 0, preserveText: false });
  expect(eventsOf([...ABANDONED, again, again, ...ANSWERED])).toEqual([
    { type: "text-delta", messageId: "a", text: "Half " },
    { type: "text-end", messageId: "a" },
    { type: "text-reset", messageId: "a" },
    { type: "text-delta", messageId: "b", text: "Whole." },
    { type: "text-end", messageId: "b" },
  ]);
});

it("preserved text continues under its id, and the last text is the answer", () => {
  const onward = retry({ reason: "retry", discardedToolCalls: 0, preserveText: true });
  const cut = [begin("a"), open({ type: "text" }), piece("Half "), onward, piece("done."), stop];
  const limited = [...text("a", "Half "), onward, piece("done.")];
  for (const lines of [cut, limited]) {
    const steps = read([...lines, assistant("a", { type: "text", text: "Half done." }, 5), result("Half done.")]);
    expect(steps.flatMap(({ events }) => events)).toEqual([
      { type: "text-delta", messageId: "a", text: "Half " },
      { type: "text-delta", messageId: "a", text: "done." },
      { type: "text-end", messageId: "a" },
    ]);
    expect(steps.at(-1)?.turnEnd).toEqual({ finish: "stop", answerId: "a" });
  }
});

it("a cut call that the CLI completed is void, with the text before it, and is never a call that ran", () => {
  const skipped = toolResult("t", "Skipped because the provider attempt was retried before execution.");
  const again = retry({ reason: "retry", discardedToolCalls: 1, preserveText: false });
  const events = eventsOf([...ABANDONED.slice(0, -1), ...call("t", { comma: null }), skipped, again, ...ANSWERED]);
  expect(events.slice(2)).toEqual([
    { type: "tool-start", id: "t", name: "run_shell_command" },
    { type: "tool-input-delta", id: "t", delta: '{"comma":null}' },
    { type: "tool-call", id: "t", name: "run_shell_command", input: { comma: null }, executor: "cli" },
    { type: "tool-reset", id: "t" },
    { type: "text-reset", messageId: "a" },
    { type: "text-delta", messageId: "b", text: "Whole." },
    { type: "text-end", messageId: "b" },
  ]);
});

it("a call without a result is void when the CLI gives up its answer", () => {
  const again = retry({ reason: "retry", preserveText: false });
  expect(eventsOf([begin("a"), ...call("t", {}), again]).at(-1)).toEqual({ type: "tool-reset", id: "t" });
});

it("text before a call that ran stays, even if the next answer is void", () => {
  const again = retry({ reason: "retry", preserveText: false });
  const ran = [...ABANDONED.slice(0, -1), ...call("t", {}), toolResult("t", "no such file"), again];
  expect(eventsOf(ran).slice(-1)).toEqual([{ type: "tool-end", id: "t", output: "no such file", isError: true }]);
});

it("a retry and a model change are reported if the line reports them", () => {
  const counted = retry({ reason: "retry", attempt: 2, maxRetries: 10, delayMs: 60_000, preserveText: false });
  const other = retry({ reason: "model_fallback", preserveText: false });
  expect(eventsOf([counted, other])).toEqual([
    { type: "upstream-retry", attempt: 2, maxAttempts: 10, delayMs: 60_000 },
    { type: "warning", code: "model-fallback", message: "Qwen Code changed the model." },
  ]);
});

it("a shell line that only reports the time without output is a heartbeat; progress of an MCP tool is not", () => {
  const progress = (type: string): JsonObject =>
    event("tool_progress", { tool_use_id: "t", content: { type, elapsedMs: 10_004 } });
  expect(read([progress("shell_progress"), progress("mcp_tool_progress")])).toEqual([
    { events: [], isHeartbeat: true },
    { events: [] },
  ]);
});

it("an object that the loop guard ended does not match its schema", () => {
  const halted: JsonObject = {
    ...{ type: "result", subtype: "error_during_execution", uuid: "u", is_error: true },
    error: { message: "Loop detection halted the run (consecutive_identical_tool_calls: the model repeated itself)." },
  };
  const object = { type: "tool_use", id: "o", name: "structured_output", input: {} };
  const kindAfter = (lines: readonly JsonObject[]): unknown => read([...lines, halted]).at(-1)?.turnEnd?.fault?.kind;
  expect(kindAfter([assistant("a", object)])).toBe("error_max_structured_output_retries");
  expect(kindAfter(call("t", {}))).toBeUndefined();
});
