import type { ChatCompletionChunk, ChatCompletionCreateParams } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import { answers, FOREVER, fails, type Play, says, spends, tokens } from "../support/clis/plays.ts";
import { openPlayed } from "./openai-gateway.ts";

const QUESTION = {
  model: "plain",
  messages: [{ role: "user", content: "How deep is the fjord?" }],
} satisfies ChatCompletionCreateParams;
const USAGE = { ...tokens(100, 20), cacheReadTokens: 60, reasoningTokens: 8 };

/** Reasons, then answers in two pieces. */
const THOUGHTFUL: Play = [
  { events: [{ type: "reasoning-delta", messageId: "message", text: "Fjords are deep." }] },
  says("It is "),
  { events: [{ type: "text-delta", messageId: "message", text: "1,308 m deep." }, spends({ usage: USAGE })] },
  { end: { finish: "stop", answerId: "message" } },
];

describe("a whole completion", () => {
  it("has the text, the reasoning and the usage of the run", async () => {
    const { openai, calls } = await openPlayed([THOUGHTFUL]);
    const { data, response } = await openai.chat.completions.create(QUESTION).withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "plain",
      choices: [{ index: 0, message: { role: "assistant", content: "It is 1,308 m deep." }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    });
    expect(data.choices[0]?.message).toHaveProperty("reasoning_content", "Fjords are deep.");
    expect(response.headers.get("x-coxswain-provider")).toBe("plain");
    expect(response.headers.get("x-coxswain-ignored")).toBeNull();
    expect(calls()[0]?.prompt).toBe("How deep is the fjord?");
  });

  it("ends with length at the output limit, and with content_filter after a refusal", async () => {
    const cut: Play = [
      says("It is 1,3"),
      { end: { finish: "length", fault: { message: "The limit.", kind: "output-truncated" } } },
    ];
    const filtered: Play = [says("I cannot say."), { end: { finish: "content-filter", answerId: "message" } }];
    const { openai } = await openPlayed([cut, filtered]);
    const ask = async () => (await openai.chat.completions.create(QUESTION)).choices[0];
    expect(await ask()).toMatchObject({ message: { content: "It is 1,3" }, finish_reason: "length" });
    expect(await ask()).toMatchObject({ message: { content: "I cannot say." }, finish_reason: "content_filter" });
  });
});

describe("a stream of chunks", () => {
  const stream = { ...QUESTION, stream: true } satisfies ChatCompletionCreateParams;

  it("has the role first, then reasoning and text as they come, then the reason and, if asked for, the usage", async () => {
    const { openai } = await openPlayed([THOUGHTFUL]);
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of await openai.chat.completions.create({ ...stream, stream_options: { include_usage: true } }))
      chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas[0]).toEqual({ role: "assistant", content: "" });
    expect(deltas.flatMap((delta) => Reflect.get(delta, "reasoning_content") ?? []).join("")).toBe("Fjords are deep.");
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("It is 1,308 m deep.");
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).filter(Boolean)).toEqual(["stop"]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100, total_tokens: 120 } });
    expect(new Set(chunks.map(({ id, model, object }) => `${id} ${model} ${object}`)).size).toBe(1);
  });

  it("ends with [DONE] and has no usage that was not asked for", async () => {
    const { url } = await openPlayed([answers("Deep.")]);
    const reply = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(stream),
    });
    const text = await reply.text();
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    expect(text.endsWith('"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')).toBe(true);
    expect(text).not.toContain("usage");
  });

  it("is read by the client's own helper, which puts the message together", async () => {
    const { openai } = await openPlayed([THOUGHTFUL]);
    const helper = openai.chat.completions.stream({ ...stream, stream_options: { include_usage: true } });
    const said: string[] = [];
    helper.on("content", (delta) => said.push(delta));
    expect(await helper.finalContent()).toBe("It is 1,308 m deep.");
    expect(said.join("")).toBe("It is 1,308 m deep.");
    expect(await helper.totalUsage()).toMatchObject({ total_tokens: 120 });
  });

  it("that ends at a stop sequence has the estimated usage of a CLI that could not report it", async () => {
    const plays = answers("never seen", { before: [says("Deep. ST"), says("OP Blue."), FOREVER] });
    const { openai, untilQuiet } = await openPlayed([plays]);
    const asked = { ...stream, stop: "STOP", stream_options: { include_usage: true } };
    const helper = openai.chat.completions.stream(asked);
    expect(await helper.finalContent()).toBe("Deep. ");
    const usage = await helper.totalUsage();
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(usage.completion_tokens).toBe(Math.ceil("Deep. STOP Blue.".length / 4));
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    await untilQuiet();
  });

  it("throws in the client if the run fails after its first text", async () => {
    const { openai } = await openPlayed([[says("It is "), ...fails("server-error")]]);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of await openai.chat.completions.create(stream)) seen.push(chunk.choices[0]?.delta.content ?? "");
    };
    await expect(read()).rejects.toMatchObject({
      code: "server_error",
      message: expect.stringContaining("This is server-error."),
    });
    expect(seen.join("")).toBe("It is ");
  });

  it("that the client leaves cancels the run", async () => {
    const { openai, untilQuiet } = await openPlayed([[says("It is "), FOREVER]]);
    for await (const chunk of await openai.chat.completions.create(stream))
      if (chunk.choices[0]?.delta.content === "It is ") break;
    await untilQuiet();
  });
});

it("a whole completion that the client aborts cancels the run", async () => {
  const { openai, starts, untilQuiet } = await openPlayed([[says("It is "), FOREVER]]);
  const abort = new AbortController();
  const asked = openai.chat.completions.create(QUESTION, { signal: abort.signal });
  await expect.poll(starts).toBe(1);
  abort.abort();
  await expect(asked).rejects.toThrow("aborted");
  await untilQuiet();
});
