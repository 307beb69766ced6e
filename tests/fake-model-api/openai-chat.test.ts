import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, listOf } from "../../src/spec/json.ts";
import type { FakeAnswer } from "../../src/testing/fake-model-api/fake-answer.ts";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi, readDataEvents } from "./ask-fake-api.ts";

let api: FakeModelApi;
beforeAll(async () => {
  api = await startFakeModelApi("openai-chat");
});
afterAll(() => api.close());

async function streamText(answer: FakeAnswer, body: JsonObject = {}): Promise<string> {
  api.answerWith(answer);
  const { response, text } = await askFakeApi(`${api.url}/v1/chat/completions`, { stream: true, ...body });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  return text;
}

/** The deltas and finish reasons of a stream. */
async function stream(answer: FakeAnswer): Promise<readonly unknown[]> {
  return readDataEvents(await streamText(answer)).map((event) => listOf(event["choices"])[0]);
}

async function ask(answer: FakeAnswer): Promise<JsonObject> {
  api.answerWith(answer);
  return JSON.parse((await askFakeApi(`${api.url}/v1/chat/completions`, {})).text);
}

const chunk = (delta: object, finishReason: string | null = null): object => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finishReason,
});
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

describe("a streamed completion", () => {
  test("has the chunks and ids of Chat Completions, and ends with [DONE]", async () => {
    const text = await streamText({ kind: "text", text: "Hello you", deltas: ["Hello", " you"] });
    expect(text.endsWith("\n\ndata: [DONE]\n\n")).toBe(true);
    const about = {
      id: expect.stringMatching(/^chatcmpl-\w{29}$/),
      object: "chat.completion.chunk",
      created: expect.any(Number),
      model: "model-1",
    };
    expect(readDataEvents(text)).toEqual([
      { ...about, choices: [chunk({ role: "assistant", content: "" })] },
      { ...about, choices: [chunk({ content: "Hello" })] },
      { ...about, choices: [chunk({ content: " you" })] },
      { ...about, choices: [chunk({}, "stop")] },
    ]);
  });

  test("reports its usage in a separate chunk if the request asks for it", async () => {
    const counts = { inputTokens: 50, outputTokens: 9, cacheReadTokens: 20, reasoningTokens: 4 };
    const options = { stream_options: { include_usage: true } };
    const events = readDataEvents(await streamText({ kind: "text", text: "x", usage: counts }, options));
    expect(events.map((event) => event["usage"]).slice(0, -1)).toEqual([null, null, null]);
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 50,
        completion_tokens: 9,
        total_tokens: 59,
        prompt_tokens_details: { cached_tokens: 20 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    });
  });

  test("has the reasoning before the text", async () => {
    expect((await stream({ kind: "reasoning", reasoning: "hm", text: "So", deltas: 1 })).slice(1)).toEqual([
      chunk({ reasoning_content: "h" }),
      chunk({ reasoning_content: "m" }),
      chunk({ content: "So" }),
      chunk({}, "stop"),
    ]);
  });

  test("has an index for each tool call, with its own id and the arguments in pieces", async () => {
    const calls = [
      { name: "shell", input: { cmd: "ls" } },
      { name: "echo", input: "{not", id: "call_given" },
    ];
    const chunks = await stream({ kind: "tool-calls", text: "Ok", calls });
    const called = chunks.flatMap((entry) => (entry as { delta: { tool_calls?: readonly object[] } }).delta.tool_calls ?? []);
    const [id, type] = [expect.stringMatching(/^call_\w{24}$/), "function"];
    expect(called[0]).toEqual({ index: 0, id, type, function: { name: "shell", arguments: "" } });
    expect(called.filter((call) => "id" in call)[1]).toEqual({
      index: 1,
      id: "call_given",
      type,
      function: { name: "echo", arguments: "" },
    });
    const pieces = called as readonly { index: number; function: { arguments: string } }[];
    const input = (index: number): string =>
      pieces.map((piece) => (piece.index === index ? piece.function.arguments : "")).join("");
    expect([JSON.parse(input(0)), input(1)]).toEqual([{ cmd: "ls" }, "{not"]);
    expect(chunks.at(-1)).toEqual(chunk({}, "tool_calls"));
  });

  test.each([
    [{ kind: "refusal" }, "content_filter", 0],
    [{ kind: "refusal", text: "W" }, "content_filter", 1],
    [{ kind: "max-tokens", text: "L" }, "length", 1],
    [{ kind: "empty" }, "stop", 0],
  ] as const)("of %j ends for the reason %s after %i pieces", async (answer, reason, pieces) => {
    const chunks = await stream(answer);
    expect(chunks).toHaveLength(pieces + 2);
    expect(chunks.at(-1)).toEqual(chunk({}, reason));
  });

  test("may stop with an error, and then has no [DONE]", async () => {
    const error = { code: "server_error", message: "Sorry" };
    const text = await streamText({ kind: "stream-error", afterText: "x", error });
    const events = readDataEvents(text);
    expect(events).toHaveLength(3);
    expect(events.at(-1)).toEqual({ error: { message: "Sorry", type: "server_error", param: null, code: "server_error" } });
    expect(text).not.toContain("[DONE]");
  });
});

describe("a completion that is not streamed", () => {
  test("is one JSON body with every call", async () => {
    const calls = [{ name: "shell", input: { cmd: "ls" }, id: "call_1" }];
    const call = { id: "call_1", type: "function", function: { name: "shell", arguments: '{"cmd":"ls"}' } };
    expect(await ask({ kind: "tool-calls", calls })).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "model-1",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: null, tool_calls: [call], refusal: null },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage,
    });
  });

  test.each([
    [{ kind: "text", text: "Hello" }, { content: "Hello" }, "stop"],
    [{ kind: "reasoning", reasoning: "hm", text: "So" }, { content: "So", reasoning_content: "hm" }, "stop"],
    [{ kind: "max-tokens", text: "Long" }, { content: "Long" }, "length"],
    [{ kind: "refusal" }, { content: "" }, "content_filter"],
    [{ kind: "empty" }, { content: "" }, "stop"],
  ] as const)("of %j has the message %j and the reason %s", async (answer, message, reason) => {
    expect(await ask(answer)).toMatchObject({ choices: [{ message, finish_reason: reason }] });
  });

  test("is an HTTP error if the stream would have an error event", async () => {
    api.answerWith({ kind: "stream-error", error: { code: "server_is_overloaded", message: "Too much" } });
    const { response, text } = await askFakeApi(`${api.url}/v1/chat/completions`, {});
    expect([response.status, JSON.parse(text)]).toMatchObject([
      503,
      { error: { code: "server_is_overloaded", message: "Too much" } },
    ]);
  });
});
