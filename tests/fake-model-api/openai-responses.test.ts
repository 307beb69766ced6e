import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { FakeAnswer } from "../../src/testing/fake-model-api/fake-answer.ts";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi, readServerSentEvents } from "./ask-fake-api.ts";

let api: FakeModelApi;
beforeAll(async () => {
  api = await startFakeModelApi("openai-responses");
});
afterAll(() => api.close());

async function stream(answer: FakeAnswer, body: JsonObject = {}): Promise<readonly JsonObject[]> {
  api.answerWith(answer);
  const { response, text } = await askFakeApi(`${api.url}/v1/responses`, { stream: true, ...body });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  const events = readServerSentEvents(text);
  expect(events.map((event) => event["sequence_number"])).toEqual([...events.keys()]);
  return events;
}

async function ask(answer: FakeAnswer): Promise<JsonObject> {
  api.answerWith(answer);
  return JSON.parse((await askFakeApi(`${api.url}/v1/responses`, {})).text);
}

const types = (events: readonly JsonObject[]): string[] => events.map((event) => String(event["type"]).replace("response.", ""));
const text = { type: "output_text", annotations: [], logprobs: [] };

describe("a streamed response", () => {
  test("has the events and ids of the Responses API", async () => {
    const events = await stream({ kind: "text", text: "Hello you", deltas: ["Hello", " you"] });
    const id = expect.stringMatching(/^msg_\w{50}$/);
    const done = { id, type: "message", status: "completed", role: "assistant", content: [{ ...text, text: "Hello you" }] };
    const place = { item_id: id, output_index: 0, content_index: 0 };
    expect(events).toMatchObject([
      {
        type: "response.created",
        response: { id: expect.stringMatching(/^resp_\w{50}$/), status: "in_progress", model: "model-1" },
      },
      { type: "response.in_progress", response: { status: "in_progress", output: [], usage: null } },
      { type: "response.output_item.added", output_index: 0, item: { id, status: "in_progress", content: [] } },
      { type: "response.content_part.added", ...place, part: { ...text, text: "" } },
      { type: "response.output_text.delta", ...place, delta: "Hello" },
      { type: "response.output_text.delta", ...place, delta: " you" },
      { type: "response.output_text.done", ...place, text: "Hello you" },
      { type: "response.content_part.done", ...place, part: { ...text, text: "Hello you" } },
      { type: "response.output_item.done", output_index: 0, item: done },
      { type: "response.completed", response: { status: "completed", output: [done], usage: { total_tokens: 120 } } },
    ]);
  });

  test("reports cached input and reasoning as parts of the counts", async () => {
    const usage = { inputTokens: 50, outputTokens: 9, cacheReadTokens: 20, cacheWriteTokens: 10, reasoningTokens: 4 };
    expect((await stream({ kind: "text", text: "x", usage })).at(-1)).toMatchObject({
      response: {
        usage: {
          input_tokens: 50,
          input_tokens_details: { cached_tokens: 20, cache_write_tokens: 10 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 59,
        },
      },
    });
  });

  test("has a summary of the reasoning before the text", async () => {
    const events = await stream({ kind: "reasoning", reasoning: "hm", text: "So", deltas: 1 });
    expect(types(events).slice(2, 9)).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
    ]);
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }, { type: "message" }] },
    });
  });

  test("has an item for each tool call, with its own id and the arguments in pieces", async () => {
    const calls = [
      { name: "shell", input: { cmd: "ls" } },
      { name: "echo", namespace: "mcp__echo", input: "{not json", id: "call_given" },
    ];
    const events = await stream({ kind: "tool-calls", calls });
    const [first, second] = [
      {
        type: "function_call",
        call_id: expect.stringMatching(/^call_\w{24}$/),
        name: "shell",
        arguments: '{"cmd":"ls"}',
        status: "completed",
      },
      { type: "function_call", call_id: "call_given", name: "echo", namespace: "mcp__echo", arguments: "{not json" },
    ];
    const pieces = events.filter((event) => event["type"] === "response.function_call_arguments.delta");
    expect(pieces.map((event) => (event["output_index"] === 0 ? event["delta"] : "")).join("")).toBe('{"cmd":"ls"}');
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { output: [first, second] } });
  });

  const custom = [{ type: "custom", name: "apply_patch" }];
  test.each([
    { tools: custom },
    { tools: [{ type: "namespace", name: "functions", tools: custom }] },
    { input: [{ type: "additional_tools", role: "developer", tools: custom }] },
  ])("calls a tool that the request declares as custom with free text, given %j", async (body) => {
    const answer = { kind: "tool-calls", calls: [{ name: "apply_patch", input: "*** Begin Patch" }] } as const;
    const events = await stream(answer, body);
    expect(types(events)).toContain("custom_tool_call_input.delta");
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" }] },
    });
  });

  test.each([
    [{ kind: "refusal" }, "content_filter", 0],
    [{ kind: "refusal", text: "Well," }, "content_filter", 1],
    [{ kind: "max-tokens", text: "Long" }, "max_output_tokens", 1],
  ] as const)("of %j is incomplete for the reason %s after %i items", async (answer, reason, items) => {
    const last = (await stream(answer)).at(-1);
    expect(last).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason } },
    });
    expect(last).toMatchObject({ response: { output: Array.from({ length: items }, () => ({ status: "incomplete" })) } });
  });

  test("without content is completed at once", async () => {
    expect(types(await stream({ kind: "empty" }))).toEqual(["created", "in_progress", "completed"]);
  });

  test("may stop with an error event", async () => {
    const error = { code: "rate_limit_exceeded", message: "Please try again in 1.5s." };
    const events = await stream({ kind: "stream-error", afterText: "x", error });
    expect(types(events).slice(2)).toEqual(["output_item.added", "content_part.added", "output_text.delta", "failed"]);
    expect(events.at(-1)).toMatchObject({ response: { status: "failed", error } });
    expect(types(await stream({ kind: "stream-error", error }))).toEqual(["created", "in_progress", "failed"]);
  });
});

describe("a response that is not streamed", () => {
  test.each([
    [
      { kind: "text", text: "Hello" },
      { status: "completed", output: [{ type: "message", content: [{ text: "Hello" }] }] },
    ],
    [{ kind: "reasoning", reasoning: "hm", text: "So" }, { output: [{ type: "reasoning" }, { content: [{ text: "So" }] }] }],
    [{ kind: "tool-calls", calls: [{ name: "shell", input: {} }] }, { output: [{ type: "function_call", arguments: "{}" }] }],
    [
      { kind: "max-tokens", text: "Long" },
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    ],
    [{ kind: "refusal" }, { status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] }],
    [{ kind: "empty" }, { status: "completed", output: [], usage: { input_tokens: 100, output_tokens: 20 } }],
  ] as const)("of %j is one JSON body with %j", async (answer, expected) => {
    expect(await ask(answer)).toMatchObject({
      object: "response",
      id: expect.stringMatching(/^resp_/),
      model: "model-1",
      ...expected,
    });
  });

  test("is an HTTP error if the stream would have an error event", async () => {
    api.answerWith({ kind: "stream-error", error: { code: "server_is_overloaded", message: "Too much" } });
    const { response, text } = await askFakeApi(`${api.url}/v1/responses`, {});
    expect([response.status, JSON.parse(text)]).toMatchObject([
      503,
      { error: { code: "server_is_overloaded", message: "Too much" } },
    ]);
  });
});
