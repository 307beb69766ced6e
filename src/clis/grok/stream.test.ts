import { describe, expect, it } from "vitest";
import { replayRecording } from "../../replay/replay.ts";
import { collect } from "../../run/collect.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import type { OutputFormat } from "../../spec/wire/wire.ts";
import { grok } from "./provider.ts";

function eventsOf(lines: readonly JsonValue[], format: OutputFormat = "stream-json"): readonly RunEvent[] {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const runs = replayRecording(grok, { format, stdout: Buffer.from(text) });
  expect(runs).toHaveLength(1);
  return runs[0] ?? [];
}

const END = { type: "end", stopReason: "end_turn", sessionId: "s" };
const text = (data: string) => ({ type: "text", data });

describe("its own lines", () => {
  it("a usage line or a call ends a message, and the last message with text is the answer", () => {
    const lines = [
      text("a"),
      { type: "usage" },
      text("b"),
      { type: "tool_call", toolCallId: "1" },
      { type: "thought", data: "c" },
      END,
    ];
    const events = eventsOf(lines);
    expect(events.filter(({ type }) => type === "text-end")).toMatchObject([
      { messageId: "message-1" },
      { messageId: "message-2" },
    ]);
    expect(events.find(({ type }) => type === "reasoning-delta")).toMatchObject({ messageId: "message-3" });
    expect(collect(events)).toMatchObject({ text: "b", sessionId: "s", finish: "stop" });
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "the unknown stop reason %s is no failure",
    (stopReason) => {
      expect(collect(eventsOf([text("a"), { ...END, stopReason }]))).toMatchObject({ text: "a", finish: "stop" });
    },
  );

  it.each([
    ["cancelled", "tool-denied"],
    ["Cancelled", "tool-denied"],
    ["refusal", "refused"],
    ["max_turn_requests", "turn-limit"],
  ])("a stop reason of %s is a failure", (stopReason, code) => {
    expect(collect(eventsOf([text("a"), { ...END, stopReason }]))).toMatchObject({
      text: "",
      failure: { code, partialText: "a" },
    });
  });

  it("a stop reason of max_tokens is a cut answer", () => {
    expect(collect(eventsOf([text("a"), { ...END, stopReason: "max_tokens" }]))).toMatchObject({ text: "a", finish: "length" });
  });

  it("calls begin and end once, even if lines repeat", () => {
    const call = { type: "tool_call", toolCallId: "1", toolName: "t", rawInput: {} };
    const update = (status: string | null, id = "1") => ({
      type: "tool_call_update",
      toolCallId: id,
      status,
      rawOutput: { type: "X", text: "o" },
    });
    const lines = [
      call,
      update(null),
      call,
      update("in_progress"),
      update("completed"),
      update("failed"),
      update("completed", "9"),
      END,
    ];
    expect(collect(eventsOf(lines)).toolCalls).toMatchObject([{ id: "1", output: "o", isError: false }]);
  });

  it("counts of an error are reported, unless they are zero", () => {
    const error = (usage: JsonValue) => ({ type: "error", message: "x", usage });
    const counted = {
      input_tokens: 1,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 3,
      output_tokens: 4,
      reasoning_tokens: 1,
    };
    expect(collect(eventsOf([error(counted)])).usage).toEqual({
      ...{ inputTokens: 6, outputTokens: 4, totalTokens: 10, cacheReadTokens: 2, cacheWriteTokens: 3, reasoningTokens: 1 },
      ...{ estimated: false, scope: "turn" },
    });
    expect(collect(eventsOf([error({ input_tokens: 0, output_tokens: 0 })])).usage).toBeUndefined();
  });

  it("a cost is reported if there is one", () => {
    const end = (cost: number) => ({ ...END, usage: { input_tokens: 1, output_tokens: 1 }, total_cost_usd: cost });
    expect(collect(eventsOf([text("a"), end(0.5)])).costUsd).toBe(0.5);
    expect(collect(eventsOf([text("a"), end(0)])).costUsd).toBeUndefined();
  });
});

describe("results of tools", () => {
  const outputOf = (content: JsonValue, isError = false): object => {
    const use = { type: "tool_use", id: "1", name: "t", input: { x: 1 } };
    const result = { type: "tool_result", tool_use_id: "1", content, is_error: isError };
    const events = eventsOf([
      { type: "assistant", message: { id: "m", content: [use] } },
      { type: "user", message: { content: [result] } },
      { type: "result", subtype: "success", is_error: false, result: "", stop_reason: "end_turn" },
    ]);
    const { toolCalls, permissionDenials } = collect(events);
    return { output: toolCalls[0]?.output, isError: toolCalls[0]?.isError, denied: permissionDenials.length };
  };

  it.each([
    ["what the prompt got", { type: "Bash", output: [104], output_for_prompt: "exit: 0\n", exit_code: 0 }, "exit: 0\n"],
    ["a text inside", { type: "ReadFile", FileContent: { content: "1→a", raw_output: "a" } }, "1→a"],
    ["a name that comes first in the list, wherever it is", { type: "X", text: "t", Part: { content: "c" } }, "c"],
    ["bytes", { type: "GrepSearch", stdout: [195, 164] }, "ä"],
    ["the only string", { type: "ReadFile", FileNotFound: "gone" }, "gone"],
  ])("%s is the output", (_what, value, output) => {
    expect(outputOf(JSON.stringify(value))).toEqual({ output, isError: false, denied: 0 });
  });

  it("a result of unknown shape stays as printed", () => {
    const printed = JSON.stringify({ type: "X", a: "1", b: "2" });
    expect(outputOf(printed)).toEqual({ output: printed, isError: false, denied: 0 });
    expect(outputOf("no json")).toEqual({ output: "no json", isError: false, denied: 0 });
  });

  it("a command that failed is an error", () => {
    expect(outputOf(JSON.stringify({ type: "Bash", output_for_prompt: "no", exit_code: 3 }))).toMatchObject({ isError: true });
  });

  it.each([
    ["Tool `t` was not executed: Denied by permission policy", true, 1],
    ["User cancelled the execution for tool `t`", true, 1],
    ["User cancelled the execution for tool `t`", false, 0],
    ["Failed to parse arguments for tool `t`", true, 0],
  ])("%j as an error (%s) makes %i denials", (word, isError, denied) => {
    const content = JSON.stringify([{ type: "content", content: { type: "text", text: word } }]);
    expect(outputOf(content, isError)).toEqual({ output: word, isError, denied });
  });

  it("a tool that prints the text of a denial is not a denial", () => {
    const value = { type: "Bash", output_for_prompt: "Tool `t` was not executed: Denied", exit_code: 1 };
    expect(outputOf(JSON.stringify(value), true)).toMatchObject({ denied: 0 });
  });
});

it("a document without a stop reason does not end the turn", () => {
  expect(collect(eventsOf([{ text: "a", sessionId: "s" }], "json")).failure).toMatchObject({ code: "no-terminal-event" });
  expect(collect(eventsOf([{ text: "a", stopReason: "end_turn" }], "json")).text).toBe("a");
});
