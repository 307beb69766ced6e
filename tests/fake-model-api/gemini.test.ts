import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { FakeAnswer } from "../../src/testing/fake-model-api/fake-answer.ts";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi, readDataEvents } from "./ask-fake-api.ts";

let api: FakeModelApi;
beforeAll(async () => {
  api = await startFakeModelApi("gemini");
});
afterAll(() => api.close());

const model = "/v1beta/models/gemini-2.5-flash";

async function streamText(answer: FakeAnswer): Promise<string> {
  api.answerWith(answer);
  const { response, text } = await askFakeApi(`${api.url}${model}:streamGenerateContent?alt=sse`, {});
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return text;
}

async function stream(answer: FakeAnswer): Promise<readonly JsonObject[]> {
  return readDataEvents(await streamText(answer));
}

async function ask(answer: FakeAnswer): Promise<JsonObject> {
  api.answerWith(answer);
  return JSON.parse((await askFakeApi(`${api.url}${model}:generateContent`, {})).text);
}

const candidate = (parts: readonly object[], finishReason?: string): object => ({
  content: parts.length === 0 ? { role: "model" } : { parts, role: "model" },
  ...(finishReason !== undefined && { finishReason }),
  index: 0,
});
const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
const about = { modelVersion: "gemini-2.5-flash", responseId: expect.stringMatching(/^resp-\d{18}$/), usageMetadata };

describe("a streamed answer", () => {
  test("has complete objects as chunks, with CR LF and a finish reason in the last one", async () => {
    const text = await streamText({ kind: "text", text: "Hello you", deltas: ["Hello", " you"] });
    expect(text.endsWith("}\r\n\r\n")).toBe(true);
    expect(readDataEvents(text)).toEqual([
      { candidates: [candidate([{ text: "Hello" }])], ...about },
      { candidates: [candidate([{ text: " you" }])], ...about },
      { candidates: [candidate([], "STOP")], ...about },
    ]);
  });

  test("counts reasoning separately from the output", async () => {
    const usage = { inputTokens: 50, outputTokens: 9, cacheReadTokens: 20, reasoningTokens: 4 };
    expect((await stream({ kind: "text", text: "x", usage })).at(-1)).toMatchObject({
      usageMetadata: {
        promptTokenCount: 50,
        candidatesTokenCount: 5,
        totalTokenCount: 59,
        cachedContentTokenCount: 20,
        thoughtsTokenCount: 4,
      },
    });
  });

  test("has thoughts before the text", async () => {
    const events = await stream({ kind: "reasoning", reasoning: "h", text: "So", deltas: 1 });
    expect(events.map((event) => event["candidates"])).toEqual([
      [candidate([{ text: "h", thought: true }])],
      [candidate([{ text: "So" }])],
      [candidate([], "STOP")],
    ]);
  });

  test("has each tool call as one part with its own id", async () => {
    const calls = [
      { name: "read_file", input: { path: "x" } },
      { name: "ls", input: {}, id: "given" },
    ];
    const events = await stream({ kind: "tool-calls", text: "A", calls });
    const signed = { thoughtSignature: expect.any(String) };
    const id = expect.stringMatching(/^call-\d{8}$/);
    expect(events.map((event) => event["candidates"])).toEqual([
      [candidate([{ text: "A" }])],
      [candidate([{ functionCall: { id, name: "read_file", args: { path: "x" } }, ...signed }])],
      [candidate([{ functionCall: { id: "given", name: "ls", args: {} }, ...signed }])],
      [candidate([], "STOP")],
    ]);
  });

  test("refuses a call whose input is no object", async () => {
    api.answerWith({ kind: "tool-calls", calls: [{ name: "ls", input: "{not" }] });
    const { response, text } = await askFakeApi(`${api.url}${model}:generateContent`, {});
    expect([response.status, text]).toEqual([500, expect.stringContaining("takes an object")]);
  });

  test.each([
    [{ kind: "refusal" }, "SAFETY", 1],
    [{ kind: "refusal", text: "W" }, "SAFETY", 2],
    [{ kind: "max-tokens", text: "L" }, "MAX_TOKENS", 2],
    [{ kind: "empty" }, "STOP", 1],
  ] as const)("of %j ends for the reason %s after %i chunks", async (answer, reason, chunks) => {
    const events = await stream(answer);
    expect(events).toHaveLength(chunks);
    expect(events.at(-1)).toMatchObject({ candidates: [candidate([], reason)] });
  });

  test("may stop with the bare body of an error", async () => {
    const text = await streamText({ kind: "stream-error", afterText: "x", error: { code: "UNAVAILABLE", message: "Sorry" } });
    const bodyFrom = text.lastIndexOf("\r\n\r\n") + 4;
    expect(readDataEvents(text.slice(0, bodyFrom))).toMatchObject([{ candidates: [candidate([{ text: "x" }])] }]);
    expect(JSON.parse(text.slice(bodyFrom))).toEqual({ error: { code: 503, message: "Sorry", status: "UNAVAILABLE" } });
  });
});

describe("an answer that is not streamed", () => {
  test("is one chunk with every part", async () => {
    const calls = [{ name: "ls", input: {}, id: "given" }];
    expect(await ask({ kind: "tool-calls", text: "Looking.", calls })).toEqual({
      candidates: [
        candidate(
          [{ text: "Looking." }, { functionCall: { id: "given", name: "ls", args: {} }, thoughtSignature: expect.any(String) }],
          "STOP",
        ),
      ],
      ...about,
    });
  });

  test.each([
    [{ kind: "text", text: "Hello" }, [{ text: "Hello" }], "STOP"],
    [{ kind: "max-tokens", text: "Long" }, [{ text: "Long" }], "MAX_TOKENS"],
    [{ kind: "refusal" }, [], "SAFETY"],
    [{ kind: "empty" }, [], "STOP"],
  ] as const)("of %j has the parts %j and the reason %s", async (answer, parts, reason) => {
    expect(await ask(answer)).toMatchObject({ candidates: [candidate(parts, reason)] });
  });

  test("is an HTTP error if the stream would have an error event", async () => {
    api.answerWith({ kind: "stream-error", error: { code: "UNAVAILABLE", message: "Too much" } });
    const { response, text } = await askFakeApi(`${api.url}${model}:generateContent`, {});
    expect([response.status, JSON.parse(text)]).toMatchObject([503, { error: { status: "UNAVAILABLE", message: "Too much" } }]);
  });
});

test("countTokens is answered and is no model request", async () => {
  const before = api.modelRequests.length;
  const { response, text } = await askFakeApi(`${api.url}${model}:countTokens`, { contents: [] });
  expect([response.status, JSON.parse(text)]).toEqual([200, { totalTokens: expect.any(Number) }]);
  expect(api.modelRequests).toHaveLength(before);
});
