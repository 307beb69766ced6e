import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import { saidIn } from "../../support/runs/read-thread.ts";
import { QUESTION, quoting, type Subject } from "./subject.ts";

/** A PNG with one red pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const BLOCKS = {
  "OpenAI's form": { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
  "LangChain's form": { type: "image", mimeType: "image/png", data: PNG },
  "LangChain's older form": { type: "image", source_type: "base64", mime_type: "image/png", data: PNG },
  "Anthropic's form": { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
} as const;

/** Images in a message: sent, or refused before anything is started. */
export function describeImages(subject: Subject): void {
  const { name } = subject;
  describe(`pictures for a chat model on ${name}`, () => {
    if (subject.takesImages) {
      it(`a picture reaches the model of ${name}, in whatever form it is given`, async () => {
        const { model, told } = await subject.open([quoting(QUESTION)]);
        const content = [{ type: "text" as const, text: "What are these?" }, ...Object.values(BLOCKS)];
        await model.invoke([new HumanMessage({ content })]);
        expect(told()).toHaveLength(1);
        expect(told()[0]).toContain("What are these?");
        expect(told()[0]?.split(PNG)).toHaveLength(Object.keys(BLOCKS).length + 1);
      });

      it(`pictures in system messages, answers and tool results reach the model of ${name}, in order`, async () => {
        const { model, told } = await subject.open([quoting(QUESTION)]);
        const content = [BLOCKS["OpenAI's form"]];
        const call = { name: "look", args: {}, id: "call_1", type: "tool_call" as const };
        await model.invoke([
          new SystemMessage({ content }),
          new HumanMessage("Look around."),
          new AIMessage({ content, tool_calls: [call] }),
          new ToolMessage({ tool_call_id: "call_1", content }),
        ]);
        expect(told()[0]?.split(PNG)).toHaveLength(4);
        expect(saidIn(told()[0] ?? "").filter(([, text]) => text.startsWith("[image"))).toEqual([
          ["system", "[image 1]"],
          ["ai", "[image 2]"],
          ["tool_output", "[image 3]"],
        ]);
      });

      it(`a picture without a word reaches the model of ${name}`, async () => {
        const { model, told } = await subject.open([quoting(QUESTION)]);
        await model.invoke([new HumanMessage({ content: [BLOCKS["LangChain's form"]] })]);
        expect(told()).toEqual([expect.stringContaining(PNG)]);
      });
    } else {
      it.each(Object.entries(BLOCKS))(
        `a picture in %s is refused for ${name} before anything is started`,
        async (_form, block) => {
          const { model, told, running } = await subject.open([quoting(QUESTION)]);
          const content = [{ type: "text" as const, text: "What is this?" }, block];
          const refused = await model.invoke([new HumanMessage({ content })]).catch((error: unknown) => error);
          expect(RunError.is(refused) && refused.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
          expect(told()).toEqual([]);
          expect(await running()).toEqual([]);
        },
      );

      it(`a picture without a word is refused for ${name} because it is a picture`, async () => {
        const { model } = await subject.open([quoting(QUESTION)]);
        const message = new HumanMessage({ content: [BLOCKS["LangChain's form"]] });
        const refused = await model.invoke([message]).catch((error: unknown) => error);
        expect(RunError.is(refused) && refused.failure).toMatchObject({ code: "option-unsupported" });
      });
    }

    it(`a picture that is only a link is refused for ${name}, not dropped`, async () => {
      const { model, told } = await subject.open([quoting(QUESTION)]);
      const link = { type: "image_url" as const, image_url: { url: "https://pictures.example/dot.png" } };
      const content = [{ type: "text" as const, text: "What is this?" }, link];
      const refused = await model.invoke([new HumanMessage({ content })]).catch((error: unknown) => error);
      expect(RunError.is(refused) && refused.failure).toMatchObject({ category: "validation" });
      expect(told()).toEqual([]);
    });
  });
}
