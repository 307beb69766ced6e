import type { AIMessage, AIMessageChunk, UsageMetadata } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { QUESTION, quoting, type Subject } from "./subject.ts";

/** Token counts, on messages and in streams. */
export function describeUsage(subject: Subject): void {
  const { name } = subject;
  describe(`the usage of a chat model on ${name}`, () => {
    it(`an answer of ${name} has its token counts, and the total is their sum`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      expectWhole((await model.invoke(QUESTION)).usage_metadata);
    });

    it(`a stream of ${name} has its token counts once, on its last chunk`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await model.stream(QUESTION)) chunks.push(chunk);
      expect(chunks.map((chunk) => chunk.usage_metadata !== undefined)).toEqual(
        chunks.map((_, index) => index === chunks.length - 1),
      );
      expectWhole(chunks.reduce((message, chunk) => message.concat(chunk)).usage_metadata);
    });
  });
}

/** The token counts of a message; its type omits them with exactOptionalPropertyTypes. */
export function usageOf(message: AIMessage): UsageMetadata | undefined {
  return message.usage_metadata;
}

function expectWhole(usage: UsageMetadata | undefined): void {
  expect(usage?.input_tokens).toBeGreaterThan(0);
  expect(usage?.output_tokens).toBeGreaterThan(0);
  expect(usage?.total_tokens).toBe((usage?.input_tokens ?? Number.NaN) + (usage?.output_tokens ?? Number.NaN));
}
