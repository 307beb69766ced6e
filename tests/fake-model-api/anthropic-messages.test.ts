import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { FakeAnswer } from "../../src/testing/fake-model-api/fake-answer.ts";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi, readServerSentEvents } from "./ask-fake-api.ts";

let api: FakeModelApi;
beforeAll(async () => {
  api = await startFakeModelApi("anthropic-messages");
});
afterAll(() => api.close());

async function stream(answer: FakeAnswer): Promise<readonly JsonObject[]> {
  api.answerWith(answer);
  const { response, text } = await askFakeApi(`${api.url}/v1/messages?beta=true`, { stream: true });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("request-id")).toMatch(/^req_/);
  return readServerSentEvents(text);
}

async function ask(answer: FakeAnswer): Promise<JsonObject> {
  api.answerWith(answer);
  return JSON.parse((await askFakeApi(`${api.url}/v1/messages`, {})).text);
}

const types = (events: readonly JsonObject[]): unknown[] => events.map((event) => event["type"]);
const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20,
  service_tier: "standard",
};

describe("a streamed message", () => {
  test("has the events and ids of the Messages API", async () => {
    const events = await stream({ kind: "text", text: "Hello you", deltas: ["Hello", " you"] });
    const message = { id: expect.stringMatching(/^msg_01\w{22}$/), type: "message", role: "assistant", model: "model-1" };
    expect(events).toEqual([
      {
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " you" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  });

  test("counts cached input separately", async () => {
    const events = await stream({
      kind: "text",
      text: "x",
      usage: { inputTokens: 50, cacheReadTokens: 20, cacheWriteTokens: 10 },
    });
    const counts = { input_tokens: 20, cache_creation_input_tokens: 10, cache_read_input_tokens: 20 };
    expect(events).toContainEqual(expect.objectContaining({ type: "message_delta", usage: expect.objectContaining(counts) }));
  });

  test("has thinking with its signature before the text", async () => {
    const events = await stream({ kind: "reasoning", reasoning: "hm", text: "So", deltas: 1 });
    expect(events.filter((event) => event["type"] === "content_block_delta")).toEqual([
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "h" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "m" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: expect.any(String) } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "So" } },
    ]);
  });

  test("has a block for each tool call, with its own id and the input in pieces", async () => {
    const calls = [
      { name: "Bash", input: { command: "ls" } },
      { name: "Read", input: "{not json", id: "toolu_given" },
    ];
    const events = await stream({ kind: "tool-calls", text: "Looking.", calls });
    expect(events.filter((event) => event["type"] === "content_block_start").slice(1)).toMatchObject([
      { index: 1, content_block: { type: "tool_use", id: expect.stringMatching(/^toolu_01\w{22}$/), name: "Bash", input: {} } },
      { index: 2, content_block: { type: "tool_use", id: "toolu_given", name: "Read", input: {} } },
    ]);
    const deltas = events.map((event) => event as { index?: number; delta?: { partial_json?: string } });
    const input = (index: number): string =>
      deltas.map((event) => (event.index === index ? (event.delta?.partial_json ?? "") : "")).join("");
    expect([JSON.parse(input(1)), input(2)]).toEqual([{ command: "ls" }, "{not json"]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  test.each([
    [{ kind: "refusal" }, "refusal", 0],
    [{ kind: "refusal", text: "Well," }, "refusal", 1],
    [{ kind: "max-tokens", text: "Long" }, "max_tokens", 1],
    [{ kind: "empty" }, "end_turn", 0],
  ] as const)("of %j ends with the stop reason %s after %i blocks", async (answer, stopReason, blocks) => {
    const events = await stream(answer);
    expect(types(events).filter((type) => type === "content_block_stop")).toHaveLength(blocks);
    expect(types(events).slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: stopReason } });
  });

  test("may stop with an error event", async () => {
    const error = { code: "overloaded_error", message: "Overloaded" };
    const events = await stream({ kind: "stream-error", afterText: "x", error });
    expect(types(events)).toEqual(["message_start", "content_block_start", "ping", "content_block_delta", "error"]);
    expect(events.at(-1)).toMatchObject({ error: { type: "overloaded_error", message: "Overloaded" } });
    expect(types(await stream({ kind: "stream-error", error }))).toEqual(["message_start", "error"]);
  });
});

describe("a message that is not streamed", () => {
  test("is one JSON body with every block", async () => {
    const calls = [{ name: "Bash", input: { command: "ls" }, id: "toolu_1" }];
    expect(await ask({ kind: "tool-calls", text: "Looking.", calls })).toEqual({
      id: expect.stringMatching(/^msg_01/),
      type: "message",
      role: "assistant",
      model: "model-1",
      content: [
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage,
    });
  });

  test.each([
    [{ kind: "text", text: "Hello" }, [{ type: "text", text: "Hello" }], "end_turn"],
    [{ kind: "max-tokens", text: "Long" }, [{ type: "text", text: "Long" }], "max_tokens"],
    [{ kind: "refusal" }, [], "refusal"],
    [{ kind: "empty" }, [], "end_turn"],
  ] as const)("of %j has the content %j and the stop reason %s", async (answer, content, stopReason) => {
    expect(await ask(answer)).toMatchObject({ content, stop_reason: stopReason });
  });

  test("has thinking with its signature", async () => {
    const { content } = (await ask({ kind: "reasoning", reasoning: "hm", text: "So" })) as { content: unknown };
    expect(content).toEqual([
      { type: "thinking", thinking: "hm", signature: expect.any(String) },
      { type: "text", text: "So" },
    ]);
  });

  test("is an HTTP error if the stream would have an error event", async () => {
    api.answerWith({ kind: "stream-error", afterText: "x", error: { code: "overloaded_error", message: "Too much" } });
    const { response, text } = await askFakeApi(`${api.url}/v1/messages`, {});
    expect([response.status, JSON.parse(text)]).toMatchObject([
      529,
      { error: { type: "overloaded_error", message: "Too much" } },
    ]);
  });
});
