import type { AIMessageChunk } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CALLS, callsOf, createExampleTools, example, OPENAI_WEATHER } from "./example-tools.ts";
import { type ModelAnswer, QUESTION, quoting, type Subject } from "./subject.ts";

const ASK_WEATHER = "Use get_weather.";
const WEATHER_CALL: ModelAnswer = { kind: "calls", calls: [CALLS.weather] };

/** Tools of every form, and the calls that are returned. */
export function describeToolCalls(subject: Subject): void {
  const { name } = subject;
  describe(`the tool calls of a chat model on ${name}`, () => {
    it(`a call by the model of ${name} comes back as a tool call, and nothing is run`, async () => {
      const { model, told } = await subject.open([WEATHER_CALL]);
      const { weather, executed } = createExampleTools();
      const message = await model.bindTools([weather]).invoke(ASK_WEATHER);
      expect(message.tool_calls).toEqual([{ ...CALLS.weather, id: expect.stringMatching(/^[\w-]{1,64}$/), type: "tool_call" }]);
      expect(message).toMatchObject({ content: "", invalid_tool_calls: [] });
      expect(message.response_metadata).toMatchObject({ finish_reason: expect.stringMatching(/^tool[-_]calls$/) });
      expect(executed).toEqual([]);
      expect(told()[0]).toContain('"description": "Weather of a city"');
    });

    it(`a streamed call of ${name} comes in chunks that are together the call`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.weather, CALLS.time] }]);
      const { weather, time } = createExampleTools();
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await model.bindTools([weather, time]).stream("Use get_weather and get_time."))
        chunks.push(chunk);
      const whole = chunks.reduce((message, chunk) => message.concat(chunk));
      expect(callsOf(whole)).toEqual([CALLS.weather, CALLS.time]);
      expect(new Set(whole.tool_calls?.map((call) => call.id)).size).toBe(2);
      expect(whole.text).toBe("");
      expect(chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []).every((chunk) => chunk.index !== undefined)).toBe(true);
    });

    it(`parallel calls of ${name} come in the order in which the model makes them`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.time, CALLS.dice, CALLS.weather] }]);
      const { weather, time, dice } = createExampleTools();
      const message = await model.bindTools([weather, time, dice]).invoke("Use get_time, roll_dice and get_weather.");
      expect(callsOf(message)).toEqual([CALLS.time, CALLS.dice, CALLS.weather]);
      expect(new Set(message.tool_calls?.map((call) => call.id)).size).toBe(3);
    });

    it(`tools in OpenAI's form and runnables as tools can be called on ${name}`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.weather, CALLS.time] }]);
      const runnable = RunnableLambda.from(({ zone }: { zone: string }) => `noon in ${zone}`).asTool({
        name: CALLS.time.name,
        schema: z.object({ zone: example(z.string(), "UTC") }),
      });
      const message = await model.bindTools([OPENAI_WEATHER, runnable]).invoke("Use get_weather and get_time.");
      expect(callsOf(message)).toEqual([CALLS.weather, CALLS.time]);
    });

    it(`a tool without arguments is called on ${name} with an empty object`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.dice] }]);
      const message = await model.bindTools([createExampleTools().dice]).invoke("Use roll_dice.");
      expect(callsOf(message)).toEqual([CALLS.dice]);
    });

    it(`a model of ${name} without tools does not get those that were bound to another runnable of it`, async () => {
      const { model, told } = await subject.open([quoting(QUESTION)]);
      model.bindTools([createExampleTools().weather]);
      const message = await model.bindTools([]).invoke(QUESTION);
      expect(message.tool_calls).toEqual([]);
      expect(told()[0]).not.toContain(CALLS.weather.name);
      expect(told()[0]).not.toContain("[Available Tools]");
    });
  });
}
