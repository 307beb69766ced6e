import type { AIMessageChunk } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { type ModelAnswer, QUESTION, type Subject } from "./subject.ts";

/** An answer behind some reasoning. */
export const THOUGHTFUL: ModelAnswer & { readonly kind: "text"; readonly thinking: string } = {
  kind: "text",
  text: "Blue light scatters.",
  thinking: "The user asks about the sky.",
};

/** The reasoning of the model; for CLIs that report it. */
export function describeReasoning(subject: Subject): void {
  const { name } = subject;
  describe(`the reasoning of a chat model on ${name}`, () => {
    it(`invoke and stream on ${name} give the reasoning beside the text, as a content block in front of it`, async () => {
      const { model } = await subject.open([THOUGHTFUL]);
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await model.stream(QUESTION)) chunks.push(chunk);
      for (const message of [await model.invoke(QUESTION), chunks.reduce((whole, chunk) => whole.concat(chunk))]) {
        expect([message.text, message.content]).toEqual([THOUGHTFUL.text, THOUGHTFUL.text]);
        expect(message.additional_kwargs).toMatchObject({ reasoning_content: THOUGHTFUL.thinking });
        expect(message.contentBlocks).toMatchObject([
          { type: "reasoning", reasoning: THOUGHTFUL.thinking },
          { type: "text", text: THOUGHTFUL.text },
        ]);
      }
    });
  });
}
