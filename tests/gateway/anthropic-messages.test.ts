import type Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { openCli } from "../support/clis/open-cli.ts";
import { imageCli } from "../support/clis/played-cli.ts";
import { answers, emit, FOREVER, says } from "../support/clis/plays.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { openGateway } from "./anthropic-gateway.ts";
import { openPlayed } from "./openai-gateway.ts";

const HELLO = { model: "plain", max_tokens: 1000, messages: [{ role: "user" as const, content: "Hello" }] };
const USAGE = { inputTokens: 100, outputTokens: 20, totalTokens: 120, cacheReadTokens: 60, cacheWriteTokens: 10 };
const COUNTED = answers("Good day.", {
  pieces: ["Good ", "day."],
  usage: { ...USAGE, reasoningTokens: 4, estimated: false, scope: "turn" },
});
const TOKENS = { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10, output_tokens: 20 };
const THINKING = answers("Good day.", {
  before: [
    emit({ type: "reasoning-delta", messageId: "message", text: "Be " }),
    emit({ type: "reasoning-delta", messageId: "message", text: "polite." }),
  ],
});

it("a whole answer is a message with its usage, and its headers name who answered", async () => {
  const { client } = openCli([COUNTED]);
  const { anthropic } = await openGateway(client);
  const { data, response } = await anthropic.messages.create(HELLO).withResponse();
  expect(data).toMatchObject({
    type: "message",
    role: "assistant",
    model: "plain",
    stop_reason: "end_turn",
    stop_sequence: null,
  });
  expect(data.content).toEqual([{ type: "text", text: "Good day.", citations: null }]);
  expect(data.usage).toMatchObject({ ...TOKENS, output_tokens_details: { thinking_tokens: 4 } });
  expect(data.id).toMatch(/^msg_[0-9a-f]{32}$/);
  expect(response.headers.get("request-id")).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get("x-coxswain-provider")).toBe("plain");
  // This CLI has no output limit, and Anthropic's API requires one.
  expect(response.headers.get("x-coxswain-ignored")).toBe("max_tokens");
});

it("the stream helper shows the text as it comes, and its message has the real tokens at the end", async () => {
  const { client } = openCli([COUNTED]);
  const { anthropic, streams } = await openGateway(client);
  const said: string[] = [];
  const stream = anthropic.messages.stream(HELLO).on("text", (piece) => said.push(piece));
  const message = await stream.finalMessage();
  expect(said.join("")).toBe("Good day.");
  expect(message.content).toMatchObject([{ type: "text", text: "Good day." }]);
  expect(message).toMatchObject({ stop_reason: "end_turn", usage: { ...TOKENS, output_tokens_details: { thinking_tokens: 4 } } });
  expect(await streams()).toEqual(["complete"]);
});

it("the rehearsal CLI answers whole and as a stream of several pieces", async () => {
  const { anthropic, streams } = await openGateway(createClientInScope());
  const request = { ...HELLO, model: "rehearsal" };
  const whole = await anthropic.messages.create(request);
  const pieces: string[] = [];
  for await (const event of await anthropic.messages.create({ ...request, stream: true }))
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") pieces.push(event.delta.text);
  expect(pieces.length).toBeGreaterThan(3);
  expect(whole.content).toEqual([{ type: "text", text: pieces.join(""), citations: null }]);
  expect(pieces.join("")).toContain("You asked: “Hello”.");
  expect(await streams()).toEqual(["complete"]);
});

it("thinking is sent to a client that asked for it, whole and in a stream", async () => {
  const { client } = openCli([THINKING, THINKING, THINKING, THINKING]);
  const { anthropic } = await openGateway(client);
  const request = { ...HELLO, thinking: { type: "adaptive" } } as const;
  const thought = { type: "thinking", thinking: "Be polite.", signature: expect.stringMatching(/./) };
  const text = { type: "text", text: "Good day." };
  expect((await anthropic.messages.create(request)).content).toMatchObject([thought, text]);
  expect((await anthropic.messages.stream(request).finalMessage()).content).toMatchObject([thought, text]);
  expect((await anthropic.messages.create(HELLO)).content).toMatchObject([text]);
  expect((await anthropic.messages.stream({ ...HELLO, thinking: { type: "disabled" } }).finalMessage()).content).toMatchObject([
    text,
  ]);
});

it("an answer ends before a stop sequence and names it", async () => {
  const { client } = openCli([answers("one, two; three"), answers("one, two; three", { pieces: ["one, t", "wo; three"] })]);
  const { anthropic } = await openGateway(client);
  const request = { ...HELLO, stop_sequences: ["; ", "two"] };
  const expected = { stop_reason: "stop_sequence", stop_sequence: "two", content: [{ type: "text", text: "one, " }] };
  expect(await anthropic.messages.create(request)).toMatchObject(expected);
  expect(await anthropic.messages.stream(request).finalMessage()).toMatchObject(expected);
});

it("a stream that ends at a stop sequence has the estimated usage of a CLI that could not report it", async () => {
  const { client, untilQuiet } = await openPlayed([[says("Deep. ST"), says("OP Blue."), FOREVER]]);
  const { anthropic } = await openGateway(client);
  const { stop_reason, usage } = await anthropic.messages.stream({ ...HELLO, stop_sequences: ["STOP"] }).finalMessage();
  expect([stop_reason, usage.output_tokens]).toEqual(["stop_sequence", Math.ceil("Deep. STOP Blue.".length / 4)]);
  expect(usage.input_tokens).toBeGreaterThan(0);
  await untilQuiet();
});

it.each([
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
] as const)("an answer with the finish %s has the stop reason %s", async (finish, reason) => {
  const { client } = openCli([answers("Half an", { end: { finish } }), answers("Half an", { end: { finish } })]);
  const { anthropic } = await openGateway(client);
  expect(await anthropic.messages.create(HELLO)).toMatchObject({ stop_reason: reason, content: [{ text: "Half an" }] });
  expect(await anthropic.messages.stream(HELLO).finalMessage()).toMatchObject({ stop_reason: reason });
});

it("an answer without a text has no content", async () => {
  const { client } = openCli([answers(""), answers("")]);
  const { anthropic } = await openGateway(client);
  expect((await anthropic.messages.create(HELLO)).content).toEqual([]);
  expect((await anthropic.messages.stream(HELLO).finalMessage()).content).toEqual([]);
});

it("system prompt, conversation, documents and images reach the CLI, and thinking of earlier answers does not", async () => {
  const cli = openCli([answers("Yes.")], imageCli);
  const { anthropic } = await openGateway(cli.client);
  // The client's types no longer have the fields of sampling.
  const body: Anthropic.MessageCreateParamsNonStreaming & { temperature: number; top_k: number } = {
    ...HELLO,
    system: [
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Be kind." },
    ],
    metadata: { user_id: "somebody" },
    temperature: 0.5,
    top_k: 3,
    service_tier: "auto",
    messages: [
      { role: "user", content: "Who are you?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "SECRET-THOUGHT", signature: "s" },
          { type: "text", text: "A model." },
        ],
      },
      {
        role: "user",
        content: [
          { type: "document", title: "Rules", source: { type: "text", media_type: "text/plain", data: "Be good." } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          { type: "text", text: "Is this you?", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
  };
  const { response } = await anthropic.messages.create(body).withResponse();
  expect(response.headers.get("x-coxswain-ignored")).toBe("temperature, top_k, service_tier, max_tokens");
  const [seen] = await cli.calls();
  expect(seen?.told.system).toContain("Be brief.\n\nBe kind.");
  expect(seen?.told.images).toEqual([{ mediaType: "image/png", data: "aGk=" }]);
  for (const words of ["Who are you?", "A model.", "Rules", "Be good.", "Is this you?"]) expect(seen?.prompt).toContain(words);
  expect(seen?.prompt).not.toContain("SECRET-THOUGHT");
});

it("a client that leaves cancels the run, whole and in a stream", async () => {
  const waiting = answers("", { pieces: ["I begin"], after: [{ do: "wait", ms: 600_000 }] });
  const cli = openCli([waiting, waiting]);
  const { anthropic, streams } = await openGateway(cli.client);
  const stream = anthropic.messages.stream(HELLO);
  stream.on("text", () => stream.abort());
  await expect(stream.finalMessage()).rejects.toThrow("aborted");
  await cli.untilQuiet();
  const leaving = new AbortController();
  const whole = anthropic.messages.create(HELLO, { signal: leaving.signal });
  await expect.poll(() => cli.starts()).toBe(2);
  leaving.abort();
  await expect(whole).rejects.toThrow("aborted");
  await cli.untilQuiet();
  expect(await streams()).toEqual(["cut"]);
});
