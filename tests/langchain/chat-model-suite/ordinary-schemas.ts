import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Subject } from "./subject.ts";

const PERSON = z.object({
  mail: z.email(),
  born: z.iso.date(),
  at: z.tuple([z.number(), z.number()]),
  page: z.url().optional(),
  unit: z.string().default("C"),
});
const GIVEN = { mail: "a@b.org", born: "2026-02-28", at: [1, 2], unit: "C" };
const PEOPLE = z.array(z.object({ mail: z.email() }));
const MAILS = [{ mail: "a@b.org" }];

/** Schemas with formats, tuples, optional keys and defaults, and schemas that are no object. */
export function describeOrdinarySchemas(subject: Subject): void {
  const { name } = subject;
  describe(`ordinary schemas on ${name}`, () => {
    it(`an object of ${name} has the formats, tuples and optional keys of its Zod schema`, async () => {
      const { model, told } = await subject.open([{ kind: "object", object: GIVEN }]);
      expect(await model.withStructuredOutput(PERSON).invoke("Who?")).toEqual(GIVEN);
      expect(told().join("\n")).not.toContain("[Answer Format]");
    });

    it(`a list of ${name} is wrapped for the CLI, and LangChain gets the list`, async () => {
      const { model } = await subject.open([{ kind: "object", object: { value: MAILS } }]);
      expect(await model.withStructuredOutput(PEOPLE).invoke("Who?")).toEqual(MAILS);
      const values: unknown[] = [];
      for await (const value of await model.withStructuredOutput(PEOPLE).stream("Who?")) values.push(value);
      expect(values.at(-1)).toEqual(MAILS);
      expect(await model.withStructuredOutput(PEOPLE, { method: "functionCalling" }).invoke("Who?")).toEqual(MAILS);
    });

    it(`a default of Zod is filled in in a call of ${name} as in an object`, async () => {
      const args = z.object({ city: z.string(), unit: z.string().default("C") });
      const weather = tool(() => "rain", { name: "get_weather", description: "The weather", schema: args });
      const { model } = await subject.open([{ kind: "calls", calls: [{ name: "get_weather", args: { city: "Ulm" } }] }]);
      const message = await model.bindTools([weather]).invoke("Use get_weather.");
      expect(message.tool_calls).toMatchObject([{ args: { city: "Ulm", unit: "C" } }]);
    });

    it(`a tool of ${name} whose schema cannot be used is named, with the place of the mistake`, async () => {
      const { model } = await subject.open([{ kind: "text", text: "Hello" }]);
      const good = { type: "function" as const, function: { name: "good", parameters: { type: "object", properties: {} } } };
      const parameters = { type: "object", properties: { id: { type: "string", pattern: "(" } } };
      const bad = { type: "function" as const, function: { name: "bad", parameters } };
      await expect(model.bindTools([good, bad]).invoke("Hello")).rejects.toThrow(/tool bad .*\/properties\/id\/pattern/);
    });
  });
}
