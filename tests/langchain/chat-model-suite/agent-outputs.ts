import { AIMessageChunk, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, providerStrategy, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CALLS, createExampleTools, example, RESULTS } from "./example-tools.ts";
import type { ModelScript, Subject } from "./subject.ts";

const ASKED = [{ role: "user" as const, content: "Use get_weather." }];
const LOOP: ModelScript = [
  { kind: "calls", calls: [CALLS.weather] },
  { kind: "text", text: `The tool said: ${RESULTS.weather}` },
];
const ULM = { city: "Ulm" };
const CITY = z.object({ city: example(z.string(), "Ulm") }).meta({ title: "tell_city" });

/** The outputs of an agent besides its last message: its steps as they happen, and responses that match a schema. */
export function describeAgentOutputs(subject: Subject): void {
  const { name } = subject;
  describe(`the outputs of agents on ${name}`, () => {
    it(`an agent on ${name} streams its steps, and its messages with calls, pieces and tokens`, async () => {
      const { model } = await subject.open(LOOP);
      const agent = createAgent({ model, tools: [createExampleTools().weather] });
      const steps: string[] = [];
      const pieces: BaseMessage[] = [];
      for await (const [mode, part] of await agent.stream({ messages: ASKED }, { streamMode: ["updates", "messages"] })) {
        if (mode === "updates") steps.push(...Object.keys(part));
        else pieces.push(part[0]);
      }
      expect(steps).toEqual(["model_request", "tools", "model_request"]);
      const chunks = pieces.filter((piece) => AIMessageChunk.isInstance(piece));
      expect(chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []).flatMap((chunk) => chunk.name ?? [])).toEqual([
        "get_weather",
      ]);
      expect(chunks.filter((chunk) => chunk.usage_metadata !== undefined)).toHaveLength(2);
      expect(pieces.filter((piece) => ToolMessage.isInstance(piece)).map((piece) => piece.text)).toEqual([RESULTS.weather]);
      expect(chunks.map((chunk) => chunk.text).join("")).toContain(RESULTS.weather);
    });

    it(`a bare response format of an agent on ${name} gives the structured response`, async () => {
      const { model } = await subject.open([{ kind: "object", object: ULM }]);
      const agent = createAgent({ model, tools: [], responseFormat: CITY });
      const { structuredResponse } = await agent.invoke({ messages: [{ role: "user", content: "Which city?" }] });
      expect(structuredResponse).toEqual(ULM);
    });

    it(`a response format by the provider's means gives the structured response on ${name}`, async () => {
      const { model } = await subject.open([{ kind: "object", object: ULM }]);
      const agent = createAgent({ model, tools: [], responseFormat: providerStrategy(CITY) });
      const { structuredResponse, messages } = await agent.invoke({ messages: [{ role: "user", content: "Which city?" }] });
      expect(structuredResponse).toEqual(ULM);
      expect(JSON.parse(messages.at(-1)?.text ?? "")).toEqual(ULM);
    });

    it(`a response format by a tool gives the structured response on ${name}`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [{ name: "tell_city", args: ULM }] }]);
      const agent = createAgent({ model, tools: [], responseFormat: toolStrategy(CITY) });
      const { structuredResponse } = await agent.invoke({ messages: [{ role: "user", content: "Use tell_city." }] });
      expect(structuredResponse).toEqual(ULM);
    });
  });
}
