import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, streamText, tool } from "ai";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createResponses } from "../../src/gateway/openai/responses.ts";
import type { Protocol } from "../../src/gateway/protocol.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { answers, type Play, says } from "../support/clis/plays.ts";
import { openPlayed } from "./openai-gateway.ts";

const reasons = (text: string) => ({ events: [{ type: "reasoning-delta", messageId: "message", text }] }) as const;
const asks = (city: string): Play => [reasons(`First ${city}.`), ...answers(callBlock({ name: "get_weather", args: { city } }))];
const RAIN: Play = [reasons("Clouds."), says("It rains."), { end: { finish: "stop", answerId: "message" } }];

it.each(["generateText", "streamText"] as const)(
  "%s of the AI SDK with the defaults of @ai-sdk/openai works for three steps with tools and reasoning, and goes on",
  async (way) => {
    const { url, calls } = await openPlayed([asks("Oslo"), asks("Bergen"), RAIN, RAIN]);
    const sent: string[] = [];
    const openai = createOpenAI({
      baseURL: url,
      apiKey: "unused",
      fetch: async (input, init) => {
        sent.push(String(init?.body));
        return await fetch(input, init);
      },
    });
    const weather = tool({
      description: "Tells the weather.",
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `rain in ${city}`,
    });
    const settings = { model: openai("plain"), tools: { get_weather: weather }, stopWhen: isStepCount(5), maxRetries: 0 };
    const ask = async (messages: Parameters<typeof generateText>[0]["messages"] & object) => {
      const asked = { ...settings, messages };
      const result = way === "generateText" ? await generateText(asked) : streamText(asked);
      return { text: await result.text, steps: await result.steps, messages: await result.responseMessages };
    };
    const question = { role: "user" as const, content: "What is the weather?" };
    const first = await ask([question]);
    expect(first.text).toBe("It rains.");
    expect(first.steps).toHaveLength(3);
    expect(sent.filter((body) => body.includes("item_reference"))).toHaveLength(2);
    const next = await ask([question, ...first.messages, { role: "user", content: "And tomorrow?" }]);
    expect(next.text).toBe("It rains.");
    const [, second, third, fourth] = calls().map(({ prompt }) => prompt);
    expect(second).toContain("rain in Oslo");
    expect(third).toContain("rain in Bergen");
    for (const words of ["rain in Oslo", "rain in Bergen", "It rains.", "And tomorrow?"]) expect(fourth).toContain(words);
  },
);

it("OpenAI's client continues an answer by previous_response_id, and an answer that is not kept is refused with its name", async () => {
  const { openai, calls } = await openPlayed([RAIN, RAIN, RAIN]);
  const first = await openai.responses.create({ model: "plain", input: "What is the weather?" });
  const second = await openai.responses.create({ model: "plain", input: "Why?", previous_response_id: first.id });
  await openai.responses.create({ model: "plain", input: "Really?", previous_response_id: second.id, store: false });
  const third = calls()[2]?.prompt ?? "";
  const words = ["What is the weather?", "It rains.", "Why?", "Really?"];
  expect(words.map((word) => third.indexOf(word)).every((place, index, all) => place > (all[index - 1] ?? -1))).toBe(true);
  const unknown = openai.responses.create({ model: "plain", input: "Hi", previous_response_id: "resp_none" });
  await expect(unknown).rejects.toMatchObject({ status: 400, param: "previous_response_id" });
});

/** Answers a request with a text. */
function answer(protocol: Protocol, id: string, body: JsonObject): void {
  const asked = protocol.read({ model: "plain", ...body });
  if ("category" in asked) throw new Error(asked.message);
  const head = { id, createdAt: 0, asked, answering: { attempt: 1, isWarm: false }, leftOut: [] };
  const result = { text: "Well.", toolCalls: [], finish: "stop", permissionDenials: [], warnings: [] } as const;
  protocol.whole(head, [
    { type: "text", text: "Well." },
    { type: "end", result },
  ]);
}

it("answers are kept up to a number, an amount of bytes and an age, and none of a request with store: false", () => {
  const asksAgain = (limits: Parameters<typeof createResponses>[0], store = true): boolean => {
    const protocol = createResponses(limits);
    for (const id of ["one", "two"]) answer(protocol, id, { input: "x".repeat(1000), store });
    return !("category" in protocol.read({ model: "plain", input: "Hi", previous_response_id: "resp_one" }));
  };
  expect(asksAgain({})).toBe(true);
  expect([asksAgain({ responses: 1 }), asksAgain({ bytes: 3000 }), asksAgain({ ageMs: -1 }), asksAgain({}, false)]).toEqual(
    Array(4).fill(false),
  );
});

it("a conversation that goes on keeps its first answers, by either kind of reference", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const protocol = createResponses({ ageMs: 1000, responses: 3 });
  answer(protocol, "one", { input: "Hi" });
  const item = { type: "item_reference", id: "msg_one0000" };
  for (const [index, id] of ["two", "three", "four", "five"].entries()) {
    clock.mockReturnValue((index + 1) * 800);
    answer(protocol, id, index % 2 === 0 ? { input: [item] } : { input: "More", previous_response_id: "resp_one" });
  }
  clock.mockReturnValue(5000);
  expect(protocol.read({ model: "plain", input: "Late", previous_response_id: "resp_one" })).toHaveProperty("category");
});
