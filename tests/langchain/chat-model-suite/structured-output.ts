import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { example } from "./example-tools.ts";
import type { ModelAnswer, Subject } from "./subject.ts";

const ULM = { city: "Ulm", people: 128_928 };
const ZOD = z.object({ city: example(z.string(), "Ulm"), people: example(z.number(), 128_928) });
const JSON_SCHEMA = {
  title: "city",
  type: "object",
  properties: { city: { type: "string", examples: ["Ulm"] }, people: { type: "number", examples: [128_928] } },
  required: ["city", "people"],
  additionalProperties: false,
};
const OBJECT: ModelAnswer = { kind: "object", object: ULM };
const CALL: ModelAnswer = { kind: "calls", calls: [{ name: "tell_city", args: ULM }] };

/** Answers that match a schema. */
export function describeStructuredOutput(subject: Subject): void {
  const { name } = subject;
  describe(`the structured output of a chat model on ${name}`, () => {
    it(`an answer of ${name} under a Zod schema is the object, parsed by the schema`, async () => {
      const { model } = await subject.open([OBJECT]);
      const schema = ZOD.extend({ people: ZOD.shape.people.transform((people) => `${people} people`) });
      expect(await model.withStructuredOutput(schema).invoke("Ulm?")).toEqual({ city: "Ulm", people: "128928 people" });
    });

    it(`an answer of ${name} under a JSON Schema is the object, and streams to it`, async () => {
      const { model } = await subject.open([OBJECT]);
      const values: unknown[] = [];
      for await (const value of await model.withStructuredOutput(JSON_SCHEMA).stream("Ulm?")) values.push(value);
      expect(values.at(-1)).toEqual(ULM);
    });

    it(`with the raw message of ${name} both are there`, async () => {
      const { model } = await subject.open([OBJECT]);
      const { raw, parsed } = await model.withStructuredOutput(ZOD, { includeRaw: true }).invoke("Ulm?");
      expect(parsed).toEqual(ULM);
      expect(raw).toBeInstanceOf(AIMessage);
      expect(JSON.parse(raw.text)).toEqual(ULM);
    });

    it(`by function calling the object of ${name} is the arguments of the call`, async () => {
      const { model } = await subject.open([CALL]);
      const options = { method: "functionCalling", name: "tell_city" } as const;
      expect(await model.withStructuredOutput(ZOD, options).invoke("Use tell_city.")).toEqual(ULM);
    });

    it(`by function calling the raw message of ${name} holds the call`, async () => {
      const { model } = await subject.open([CALL]);
      const options = { method: "functionCalling", name: "tell_city", includeRaw: true } as const;
      const { raw, parsed } = await model.withStructuredOutput(JSON_SCHEMA, options).invoke("Use tell_city.");
      expect(parsed).toEqual(ULM);
      expect(raw).toMatchObject({ tool_calls: [{ name: "tell_city", args: ULM }] });
    });

    it(`a structured answer of ${name} is traced with its method and schema`, async () => {
      const { model } = await subject.open([OBJECT]);
      const traced: unknown[] = [];
      const handler = {
        handleChatModelStart: (...[, , , , extra]: readonly unknown[]): void => {
          traced.push(extra);
        },
      };
      await model.withStructuredOutput(JSON_SCHEMA).invoke("Ulm?", { callbacks: [handler] });
      expect(traced).toMatchObject([
        { options: { ls_structured_output_format: { kwargs: { method: expect.any(String) }, schema: JSON_SCHEMA } } },
      ]);
    });
  });
}
