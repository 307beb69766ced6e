import type { AIMessageChunk } from "@langchain/core/messages";
import { createAgent, providerStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import { callBlock } from "../../support/clis/call-blocks.ts";
import { CALLS, callsOf, createExampleTools } from "./example-tools.ts";
import { QUESTION, type Subject } from "./subject.ts";

const SKY = 'Air scatters short waves: 光の散乱, \u2028 and <b>no</b> \\n & "quotes" 🌌.';
const SPENT = { inputTokens: 1_000, cacheReadTokens: 300, cacheWriteTokens: 200, outputTokens: 50 };
const ULM = { city: "Ulm" };
const CITY = z.object({ city: z.string() }).meta({ title: "tell_city" });

/** Answers that only a scripted model gives: exact bytes and counts, empty answers, text beside calls, and objects in prose. */
export function describeExactAnswers(subject: Subject): void {
  const { name } = subject;
  const tools = createExampleTools();

  describe(`what a chat model on ${name} makes of an answer`, () => {
    it(`the text of ${name} comes byte for byte, and its tokens one by one`, async () => {
      const { model } = await subject.open([{ kind: "text", text: SKY, usage: SPENT }]);
      const message = await model.invoke(QUESTION);
      expect(message.content).toBe(SKY);
      expect(message.usage_metadata).toMatchObject({
        input_tokens: 1_000,
        output_tokens: 50,
        total_tokens: 1_050,
        input_token_details: { cache_read: 300, cache_creation: 200 },
      });
    });

    it(`an empty answer of ${name} is an empty message, streamed as well`, async () => {
      const { model } = await subject.open([{ kind: "empty" }]);
      expect(await model.invoke(QUESTION)).toMatchObject({ content: "", tool_calls: [] });
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await model.stream(QUESTION)) chunks.push(chunk);
      expect(chunks.reduce((message, chunk) => message.concat(chunk)).content).toBe("");
    });

    it(`an answer of ${name} with white space around it is the same from invoke and stream`, async () => {
      const { model } = await subject.open([{ kind: "text", text: "\n  Two lines,\n  indented.\n\n" }]);
      const { text } = await model.invoke(QUESTION);
      let streamed = "";
      for await (const chunk of await model.stream(QUESTION)) streamed += chunk.text;
      expect(streamed).toBe(text);
      expect(text.trim()).toBe("Two lines,\n  indented.");
    });

    it(`text beside a call of ${name} is the content, and neither is lost in any stream`, async () => {
      const { model } = await subject.open([{ kind: "text", text: `I look it up.\n\n${callBlock(CALLS.weather)}` }]);
      const options = { tools: [tools.weather] };
      const message = await model.bindTools([tools.weather]).invoke(QUESTION);
      expect([message.content, callsOf(message)]).toEqual(["I look it up.", [CALLS.weather]]);
      const awaited = await model.streamEvents(QUESTION, options);
      expect([awaited.text, callsOf(awaited)]).toEqual(["I look it up.", [CALLS.weather]]);
    });

    it(`an agent on ${name} with tools and a response format by the provider's means uses both`, async () => {
      const { model } = await subject.open([
        { kind: "calls", calls: [CALLS.weather] },
        { kind: "text", text: `Here it is:\n\n\`\`\`json\n${JSON.stringify(ULM, undefined, 2)}\n\`\`\`` },
      ]);
      const { weather, executed } = createExampleTools();
      const agent = createAgent({ model, tools: [weather], responseFormat: providerStrategy(CITY) });
      const { structuredResponse, messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] });
      expect(structuredResponse).toEqual(ULM);
      expect(executed).toEqual([CALLS.weather]);
      expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "ai"]);
    });

    it(`prose where ${name} was asked for an object rejects, also when the raw message was asked for`, async () => {
      const { model } = await subject.open([{ kind: "text", text: "Ulm is a city." }]);
      const failed = await model
        .withStructuredOutput(CITY, { includeRaw: true })
        .invoke("Which city?")
        .catch((error: unknown) => error);
      expect(RunError.is(failed) && failed.failure).toMatchObject({ category: "invalid_response", code: "schema-mismatch" });
    });
  });
}
