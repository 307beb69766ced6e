import { describe, expect, it } from "vitest";
import { axGlm } from "../../clis/ax/provider.ts";
import { replayRecording } from "../../replay/replay.ts";
import { collect } from "../../run/collect.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunEvent } from "../../spec/wire/events.ts";

const USER = { role: "user", content: "hi" };
const call = (id: string, args = '{"a":1}') => ({ id, type: "function", function: { name: "bash", arguments: args } });
const calls = (...ids: string[]) => ({ role: "assistant", content: "", tool_calls: ids.map((id) => call(id)) });
const answer = (content: string) => ({ role: "assistant", content });

function eventsOf(lines: readonly (JsonValue | string)[], format: "stream-json" | "json" = "stream-json"): readonly RunEvent[] {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const runs = replayRecording(axGlm, { format, stdout: Buffer.from(text) });
  expect(runs).toHaveLength(1);
  return runs[0] ?? [];
}

function resultOf(lines: readonly (JsonValue | string)[], format?: "stream-json" | "json"): RunResult {
  return collect(eventsOf(lines, format));
}

describe("messages of the CLI in place of the model's", () => {
  const sorry = answer("Sorry, I encountered an error: Grok API error: 401 bad key");
  const rounds = answer("Maximum tool execution rounds reached. Stopping.");

  it("an error right after the prompt is a failure with the HTTP status from its text", () => {
    expect(resultOf([USER, sorry])).toMatchObject({
      text: "",
      failure: { code: "not-logged-in", message: "Grok API error: 401 bad key" },
    });
    const named = answer("Sorry, I encountered an error: LLM API error (model: a (b)): 503 down");
    expect(resultOf([USER, named]).failure).toMatchObject({ code: "server-error" });
  });

  it("the same text in another place is the model's", () => {
    expect(resultOf([USER, calls("1"), { role: "tool", content: "x" }, sorry])).toMatchObject({ text: sorry.content });
    expect(resultOf([USER, rounds])).toMatchObject({ text: rounds.content });
    expect(resultOf([sorry])).toMatchObject({ text: sorry.content });
  });

  it("a limit of rounds after a tool is a failure", () => {
    expect(resultOf([USER, calls("1"), { role: "tool", content: "x" }, rounds]).failure).toMatchObject({ code: "turn-limit" });
  });

  it.each(["", "I understand, but I don't have a specific response."])("%j is neither an answer nor a failure", (content) => {
    const { text, finish, failure, usage } = resultOf([USER, answer(content)]);
    expect({ text, finish, failure, usage }).toEqual({ text: "", finish: "stop", failure: undefined, usage: undefined });
  });

  it("a requested shutdown is a cancelled run, before the end of the turn and not after it", () => {
    expect(resultOf([USER, "Gracefully shutting down..."])).toMatchObject({
      finish: "cancelled",
      failure: { code: "interrupted" },
    });
    expect(resultOf([USER, answer("x"), "Gracefully shutting down..."])).toMatchObject({ text: "x", finish: "stop" });
  });
});

describe("tools", () => {
  it("results without an id belong to the calls in order", () => {
    const { toolCalls } = resultOf([
      USER,
      calls("1", "2"),
      { role: "tool", content: "a" },
      { role: "tool", content: "b" },
      answer("x"),
    ]);
    expect(toolCalls.map(({ id, output }) => [id, output])).toEqual([
      ["1", "a"],
      ["2", "b"],
    ]);
  });

  it("results with an id belong to their call, and to no call if the id is unknown", () => {
    const results = [
      { role: "tool", tool_call_id: "2", content: "b" },
      { role: "tool", tool_call_id: "9", content: "?" },
      { role: "tool", tool_call_id: "1", content: "a" },
    ];
    const { toolCalls } = resultOf([USER, calls("1", "2"), ...results, answer("x")]);
    expect(toolCalls.map(({ id, output }) => [id, output])).toEqual([
      ["2", "b"],
      ["1", "a"],
    ]);
  });

  it("an id that is used again gets a new event id, and input that is no JSON stays a string", () => {
    const again = { role: "assistant", content: "again", tool_calls: [call("1", "not json")] };
    const { toolCalls, text } = resultOf([
      USER,
      calls("1"),
      { role: "tool", content: "a" },
      again,
      { role: "tool", content: "b" },
      answer("x"),
    ]);
    expect(toolCalls).toMatchObject([
      { id: "1", input: { a: 1 }, output: "a" },
      { id: "1:1", input: "not json", output: "b" },
    ]);
    expect(text).toBe("x");
  });

  it("a call without a result is closed when the run ends", () => {
    expect(resultOf([USER, calls("1"), answer("x")]).toolCalls).toMatchObject([{ id: "1", synthetic: true }]);
  });
});

it("lines after the answer have no effect", () => {
  const events = eventsOf([USER, answer("first"), answer("second"), { other: true }, "noise"]);
  expect(collect(events).text).toBe("first");
  expect(events.at(-1)).toMatchObject({ type: "run-end", answerId: "assistant-1" });
});

it("lines of another type or with wrong field types are kept as native events and do not end the turn", () => {
  const odd: readonly JsonValue[] = [
    { role: "critic", content: "x" },
    { role: 7 },
    { role: "assistant", content: 7, tool_calls: [7] },
  ];
  expect(resultOf([USER, ...odd]).failure).toMatchObject({ code: "no-terminal-event" });
  expect(eventsOf([...odd, "banner"]).filter(({ type }) => type === "native")).toHaveLength(3);
});

it("a document contains the same messages, and without an end among them the run has no end", () => {
  expect(resultOf([{ messages: [USER, answer("x")], model: "m" }], "json").text).toBe("x");
  expect(resultOf([{ messages: [USER, calls("1")] }], "json").failure).toMatchObject({ code: "no-terminal-event" });
  expect(resultOf([{ model: "m" }], "json").failure).toMatchObject({ code: "no-terminal-event" });
});
