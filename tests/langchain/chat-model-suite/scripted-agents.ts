import { createAgent, modelFallbackMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CALLS, createExampleTools, RESULTS } from "./example-tools.ts";
import type { Subject } from "./subject.ts";

const ULM = { city: "Ulm" };
const CITY = z.object({ city: z.string() }).meta({ title: "tell_city" });
const ASKED = [{ role: "user" as const, content: "How is the weather?" }];

/** Agents that need several scripted answers. */
export function describeScriptedAgents(subject: Subject): void {
  const { name } = subject;
  describe(`agents on a scripted ${name}`, () => {
    it(`an agent on ${name} with tools and a response format by a tool uses both`, async () => {
      const { model } = await subject.open([
        { kind: "calls", calls: [CALLS.weather] },
        { kind: "calls", calls: [{ name: "tell_city", args: ULM }] },
      ]);
      const { weather, executed } = createExampleTools();
      const agent = createAgent({ model, tools: [weather], responseFormat: toolStrategy(CITY) });
      const { structuredResponse } = await agent.invoke({ messages: ASKED });
      expect(structuredResponse).toEqual(ULM);
      expect(executed).toEqual([CALLS.weather]);
    });

    it(`parallel calls of an agent on ${name} are each run once, and both results reach the model`, async () => {
      const { model, told } = await subject.open([
        { kind: "calls", calls: [CALLS.weather, CALLS.time] },
        { kind: "text", text: "Seven degrees at noon." },
      ]);
      const { weather, time, executed } = createExampleTools();
      const { messages } = await createAgent({ model, tools: [weather, time] }).invoke({ messages: ASKED });
      expect(executed).toEqual([CALLS.weather, CALLS.time]);
      expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "tool", "ai"]);
      expect(messages.at(-1)?.text).toBe("Seven degrees at noon.");
      for (const result of [RESULTS.weather, RESULTS.time]) expect(told()[1]).toContain(result);
    });

    it(`an agent on ${name} turns to its fallback model in the middle of a conversation`, async () => {
      const failing = await subject.open([{ kind: "calls", calls: [CALLS.weather] }, { kind: "failure" }]);
      const working = await subject.open([{ kind: "text", text: "Seven degrees." }]);
      const { weather } = createExampleTools();
      const agent = createAgent({ model: failing.model, tools: [weather], middleware: [modelFallbackMiddleware(working.model)] });
      const { messages } = await agent.invoke({ messages: ASKED });
      expect(messages.at(-1)?.text).toBe("Seven degrees.");
      expect(working.told()).toEqual([expect.stringContaining(RESULTS.weather)]);
    });
  });
}
