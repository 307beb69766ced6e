import { request } from "node:http";
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { answers, type Play, says, tokens } from "../support/clis/plays.ts";
import { openPlayed, type PlayedGateway } from "./openai-gateway.ts";

const usage = { ...tokens(300, 60), scope: "thread" } as const;
const report = { type: "usage", usage, costUsd: 0.01, costScope: "thread" } as const;
const THREAD: Play = [says("All."), { events: [report], end: { finish: "stop", answerId: "message" } }];
const SCOPES = { x_coxswain_usage_scope: "thread", x_coxswain_cost_scope: "thread" };
const messages = [{ role: "user" as const, content: "How much?" }];
const CHAT = { model: "plain", messages };
const MESSAGES = { ...CHAT, max_tokens: 100 };
const stream_options = { include_usage: true };

/** The usage of one answer, as a client reads it. */
type Ask = (gateway: PlayedGateway) => Promise<unknown>;

const anthropicOf = ({ url }: PlayedGateway): Anthropic =>
  new Anthropic({ baseURL: url.replace(/\/v1$/, ""), apiKey: "unused", maxRetries: 0 });

const ASKS: readonly (readonly [string, Ask])[] = [
  ["a chat completion", async ({ openai }) => (await openai.chat.completions.create(CHAT)).usage],
  [
    "a stream of chat completions",
    async ({ openai }) =>
      (await openai.chat.completions.stream({ ...CHAT, stream: true, stream_options }).finalChatCompletion()).usage,
  ],
  [
    "the chunks of a stream of chat completions",
    async ({ openai }) => {
      let last: unknown;
      for await (const chunk of await openai.chat.completions.create({ ...CHAT, stream: true, stream_options }))
        last = chunk.usage ?? last;
      return last;
    },
  ],
  ["a response", async ({ openai }) => (await openai.responses.create({ model: "plain", input: "How much?" })).usage],
  [
    "a stream of a response",
    async ({ openai }) => (await openai.responses.stream({ model: "plain", input: "How much?" }).finalResponse()).usage,
  ],
  ["a message", async (gateway) => (await anthropicOf(gateway).messages.create(MESSAGES)).usage],
  [
    "a stream of a message",
    async (gateway) => {
      for await (const event of anthropicOf(gateway).messages.stream(MESSAGES))
        if (event.type === "message_delta") return event.usage;
      return undefined;
    },
  ],
];

it.each(ASKS)("the usage of %s says that it is that of a whole session, and only then", async (_what, ask) => {
  const gateway = await openPlayed([THREAD, answers("Well.")]);
  expect(await ask(gateway)).toMatchObject(SCOPES);
  const known = await ask(gateway);
  expect(known).toBeTypeOf("object");
  expect(Object.keys(known as object).filter((name) => name.startsWith("x_"))).toEqual([]);
});

it("any HTTP client reads it at the end of a stream, whose headers were sent before it was known", async () => {
  const { url } = await openPlayed([THREAD]);
  const asked = request(`${url}/chat/completions`, { method: "POST", headers: { "content-type": "application/json" } });
  const body = await new Promise<string>((resolve, reject) => {
    asked.on("error", reject).on("response", (response) => {
      expect(response.headers).not.toHaveProperty("x-coxswain-usage-scope");
      text(response).then(resolve, reject);
    });
    asked.end(JSON.stringify({ ...CHAT, stream: true, stream_options }));
  });
  const frames = body.split("\n\n").filter((frame) => frame !== "");
  expect(frames.at(-1)).toBe("data: [DONE]");
  expect(JSON.parse(frames.at(-2)?.replace("data: ", "") ?? "")).toMatchObject({ choices: [], usage: SCOPES });
});
