import { InMemoryCache } from "@langchain/core/caches";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { CALLS, callsOf, createExampleTools } from "./example-tools.ts";
import { QUESTION, quoting, type Subject } from "./subject.ts";

/** LangChain's cache of answers. */
export function describeCaching(subject: Subject): void {
  const { name } = subject;
  describe(`the cache of a chat model on ${name}`, () => {
    it(`a question that was asked before is answered without ${name}`, async () => {
      const { model, told } = await subject.open([quoting(QUESTION)], { cache: new InMemoryCache() });
      const texts = [(await model.invoke(QUESTION)).text, (await model.invoke(QUESTION)).text];
      expect(texts[1]).toBe(texts[0]);
      expect(told()).toHaveLength(1);
    });

    it(`the same question with other tools is another question to ${name}`, async () => {
      const script = [
        { kind: "calls", calls: [CALLS.weather] },
        { kind: "calls", calls: [CALLS.time] },
      ] as const;
      const { model, told } = await subject.open(script, { cache: new InMemoryCache() });
      const { weather, time } = createExampleTools();
      const first = await model.bindTools([weather]).invoke("Use a tool.");
      const second = await model.bindTools([time]).invoke("Use a tool.");
      expect([first, second].map(callsOf)).toEqual([[CALLS.weather], [CALLS.time]]);
      expect(told()).toHaveLength(2);
    });

    it(`the same question under other settings is another question to ${name}`, async () => {
      const cache = new InMemoryCache();
      const one = await subject.open([quoting(QUESTION)], { cache, request: { system: "Be brief." } });
      const other = await subject.open([quoting(QUESTION)], { cache, request: { system: "Be thorough." } });
      await one.model.invoke(QUESTION);
      await other.model.invoke(QUESTION);
      expect([one.told().length, other.told().length]).toEqual([1, 1]);
    });

    it(`an agent that asks what was asked before is answered without ${name}`, async () => {
      const { model, told } = await subject.open([quoting(QUESTION)], { cache: new InMemoryCache() });
      const agent = createAgent({ model, tools: [] });
      await agent.invoke({ messages: [{ role: "user", content: QUESTION }] });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] });
      expect(messages).toHaveLength(2);
      expect(told()).toHaveLength(1);
    });
  });
}
