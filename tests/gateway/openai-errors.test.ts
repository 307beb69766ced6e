import OpenAI, { type APIError } from "openai";
import { describe, expect, it } from "vitest";
import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import { answers, fails } from "../support/clis/plays.ts";
import { openPlayed } from "./openai-gateway.ts";

const CHAT = { model: "plain", messages: [{ role: "user", content: "Hello" }] } satisfies OpenAI.ChatCompletionCreateParams;

type Expected = readonly [FailureCode, new (...args: never[]) => Error, number, string];

const FAILURES: readonly Expected[] = [
  ["rate-limited", OpenAI.RateLimitError, 429, "rate_limit_exceeded"],
  ["quota-exhausted", OpenAI.RateLimitError, 429, "insufficient_quota"],
  ["not-logged-in", OpenAI.AuthenticationError, 401, "invalid_api_key"],
  ["access-denied", OpenAI.PermissionDeniedError, 403, "access_denied"],
  ["tool-denied", OpenAI.PermissionDeniedError, 403, "tool_denied"],
  ["model-unknown", OpenAI.NotFoundError, 404, "model_not_found"],
  ["context-overflow", OpenAI.BadRequestError, 400, "context_length_exceeded"],
  ["overloaded", OpenAI.InternalServerError, 503, "server_is_overloaded"],
  ["server-error", OpenAI.InternalServerError, 502, "server_error"],
  ["upstream-timeout", OpenAI.InternalServerError, 504, "upstream_timeout"],
];

describe.each(FAILURES)("%s before the first text", (code, ErrorClass, status, openAiCode) => {
  it(`is the client's ${ErrorClass.name} in each API, streamed or not, and the client does not repeat it`, async () => {
    const asks = [
      (openai: OpenAI) => openai.chat.completions.create(CHAT),
      (openai: OpenAI) => openai.chat.completions.create({ ...CHAT, stream: true }),
      (openai: OpenAI) => openai.responses.create({ model: "plain", input: "Hello" }),
      (openai: OpenAI) => openai.responses.create({ model: "plain", input: "Hello", stream: true }),
    ];
    for (const ask of asks) {
      // A gateway does not ask a CLI again at once after a limit or a missing login.
      const { openai, starts } = await openPlayed([fails(code)]);
      const error = await ask(openai).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error).toMatchObject({ status, code: openAiCode, message: expect.stringContaining(`This is ${code}.`) });
      expect((error as APIError).headers?.get("x-should-retry")).toBe("false");
      expect(starts()).toBe(1);
    }
  });
});

it("every response has an id, which the official client shows", async () => {
  const { openai, url } = await openPlayed([answers("Well."), answers("Well."), answers("Well."), fails("refused")]);
  const ids = [
    (await openai.chat.completions.create(CHAT))._request_id,
    (await openai.chat.completions.create({ ...CHAT, stream: true }).withResponse()).request_id,
    (await openai.responses.create({ model: "plain", input: "Hello" }))._request_id,
    (await openai.models.list().withResponse()).request_id,
    await openai.chat.completions.create({ ...CHAT, model: "unknown" }).catch(({ requestID }: APIError) => requestID),
    (await fetch(`${url}/nothing`)).headers.get("x-request-id"),
  ];
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it("a schema that its format does not use is named", async () => {
  const { openai } = await openPlayed([answers("{}"), answers("{}"), answers("Well.")]);
  const schema = { type: "object", properties: { name: { type: "string" } } };
  const ignored = async (format: object): Promise<string | null> => {
    const asked = openai.chat.completions.create({ ...CHAT, response_format: format as { type: "text" } });
    return (await asked.asResponse()).headers.get("x-coxswain-ignored");
  };
  expect(await ignored({ type: "json_object", schema })).toBe("response_format.schema");
  expect(await ignored({ type: "json_schema", json_schema: { name: "one", schema, strict: true } })).toBeNull();
  expect(await ignored({ type: "text", json_schema: { name: "one", schema } })).toBe("response_format.json_schema");
});

it("every 429 and 503 says when to come back, and the message says what to do", async () => {
  for (const [code, hint] of [
    ["rate-limited", "Retry in a moment."],
    ["overloaded", "Retry in a moment, or use another provider."],
    ["quota-exhausted", "Wait until the limit resets"],
  ] as const) {
    const { openai } = await openPlayed([fails(code)]);
    const error: APIError = await openai.chat.completions.create(CHAT).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error.message).toContain(hint);
    expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(0);
  }
});

it("a model that nobody has is a NotFoundError that names the parameter", async () => {
  const { openai } = await openPlayed([answers("Unused.")]);
  const asked = openai.chat.completions.create({ ...CHAT, model: "gpt-unknown-to-all" });
  await expect(asked).rejects.toMatchObject({ status: 404, code: "model_not_found", param: "model" });
});

/** Bodies that are refused before a CLI starts, with the parameter that the error names. */
const REFUSED: readonly (readonly [path: string, fields: object, param: string])[] = [
  ["chat/completions", { messages: undefined }, "messages"],
  ["chat/completions", { model: undefined }, "model"],
  ["chat/completions", { model: 4 }, "model"],
  ["chat/completions", { messages: "Hello" }, "messages"],
  ["chat/completions", { messages: [7] }, "messages[0]"],
  ["chat/completions", { messages: [{ role: "user", content: 7 }] }, "messages[0].content"],
  ["chat/completions", { messages: [{ role: "user", content: [{ type: "input_audio" }] }] }, "messages[0].content[0].type"],
  [
    "chat/completions",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }] },
    "messages[0].content[0].image_url.url",
  ],
  ["chat/completions", { messages: [{ role: "tool", content: "x" }] }, "messages[0].tool_call_id"],
  ["chat/completions", { messages: [{ role: "function", name: "f", content: "x" }] }, "messages[0].role"],
  ["chat/completions", { stream: "yes" }, "stream"],
  ["chat/completions", { stop: [1] }, "stop"],
  ["chat/completions", { max_tokens: 0 }, "max_tokens"],
  ["chat/completions", { temperature: "hot" }, "temperature"],
  ["chat/completions", { n: 2 }, "n"],
  ["chat/completions", { logprobs: true }, "logprobs"],
  ["chat/completions", { modalities: ["text", "audio"] }, "modalities"],
  ["chat/completions", { functions: [] }, "functions"],
  ["chat/completions", { tools: [{ type: "function", function: {} }] }, "tools[0].function.name"],
  ["chat/completions", { tool_choice: "maybe" }, "tool_choice"],
  ["chat/completions", { response_format: { type: "json_schema", json_schema: {} } }, "response_format.json_schema.schema"],
  ["chat/completions", { reasoning_effort: "extreme" }, "reasoning_effort"],
  ["responses", { input: undefined }, "input"],
  ["responses", { input: [{ type: "item_reference", id: "msg_1" }] }, "input[0].id"],
  ["responses", { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] }, "input[0].content[0].type"],
  ["responses", { previous_response_id: "resp_1" }, "previous_response_id"],
  ["responses", { conversation: "conv_1" }, "conversation"],
  ["responses", { background: true }, "background"],
  ["responses", { tools: [{ type: "file_search", vector_store_ids: [] }] }, "tools[0].type"],
  ["responses", { tools: [{ type: "code_interpreter" }] }, "tools[0].type"],
  ["responses", { tool_choice: { type: "web_search" } }, "tool_choice.type"],
  ["responses", { text: { format: { type: "grammar" } } }, "text.format.type"],
  ["responses", { reasoning: { effort: 3 } }, "reasoning.effort"],
];

it("a request that cannot be honoured gets a 400 that names its parameter, and no CLI starts", async () => {
  const { url, starts } = await openPlayed([answers("Unused.")]);
  for (const [path, fields, param] of REFUSED) {
    const base = path === "responses" ? { model: "plain", input: "Hello" } : CHAT;
    const reply = await fetch(`${url}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...base, ...fields }),
    });
    const { error } = (await reply.json()) as { readonly error: object };
    expect({ status: reply.status, ...error }, JSON.stringify(fields)).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param,
      message: expect.any(String),
    });
  }
  expect(starts()).toBe(0);
});

it("parameters that no CLI has are named in a header, and a name cannot break it", async () => {
  const { openai, calls } = await openPlayed([answers("Hello.")]);
  const { response } = await openai.chat.completions
    .create({
      ...CHAT,
      temperature: 0.2,
      seed: 7,
      logit_bias: { 5: 1 },
      presence_penalty: null,
      user: "somebody",
      max_completion_tokens: 50,
      reasoning_effort: "xhigh",
      ["x\r\nset-cookie: a"]: 1,
      min_p: 0.1,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming)
    .withResponse();
  expect(response.headers.get("x-coxswain-ignored")).toBe("temperature, seed, logit_bias, other, min_p");
  expect(calls()[0]?.told).toMatchObject({ maxOutputTokens: 50, effort: "max" });
});

it("parameters that the answering CLI does not have are named too, as the client named them", async () => {
  const { openai } = await openPlayed(
    Array.from({ length: 4 }, () => answers("Hello.")),
    {},
    ["images"],
  );
  const chat = async (limit: Partial<OpenAI.ChatCompletionCreateParams>): Promise<string | null> => {
    const { response } = await openai.chat.completions.create({ ...CHAT, ...limit, stream: true, seed: 7 }).withResponse();
    await response.body?.cancel();
    return response.headers.get("x-coxswain-ignored");
  };
  expect(await chat({ max_tokens: 50, reasoning_effort: "low" })).toBe("seed, max_tokens, reasoning_effort");
  expect(await chat({ max_completion_tokens: 50 })).toBe("seed, max_completion_tokens");
  expect(await chat({})).toBe("seed");
  const { response } = await openai.responses
    .create({ model: "plain", input: "hi", max_output_tokens: 50, reasoning: { effort: "low" } })
    .withResponse();
  expect(response.headers.get("x-coxswain-ignored")).toBe("max_output_tokens, reasoning.effort");
});

it("a CLI that is busy elsewhere is asked again by the client, because nothing was started", async () => {
  const { openai } = await openPlayed([fails("queue-full")], { maxRetries: 0 });
  await expect(openai.chat.completions.create(CHAT)).rejects.toSatisfy(
    (error: APIError) => error.headers?.get("x-should-retry") === "true" && error.status === 429,
  );
});
