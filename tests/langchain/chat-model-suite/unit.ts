import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Runnable } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createExampleTools, OPENAI_WEATHER } from "./example-tools.ts";
import type { Subject } from "./subject.ts";

const LS_KEYS = ["ls_max_tokens", "ls_model_name", "ls_model_type", "ls_provider", "ls_stop", "ls_temperature"];
const SECRET = "value-that-nobody-may-see";

/** What LangChain expects of a chat model before any call of the CLI. */
export function describeUnit(subject: Subject): void {
  const { name } = subject;
  describe(`a chat model on ${name} before any call`, () => {
    it(`a chat model on ${name} is a LangChain chat model with a type of its own`, () => {
      const model = subject.construct();
      expect(model).toBeInstanceOf(BaseChatModel);
      expect(model._modelType()).toBe("base_chat_model");
      expect(model._llmType()).toMatch(/^[a-z][\w-]*$/);
    });

    it(`tools are bound on ${name} to a new runnable, and the model stays without`, () => {
      const model = subject.construct();
      const { weather, time } = createExampleTools();
      const [one, other] = [model.bindTools([weather]), model.bindTools([time])];
      expect(one).toBeInstanceOf(Runnable);
      expect(new Set([model, one, other]).size).toBe(3);
      expect(Reflect.get(model, "tools")).toBeUndefined();
    });

    it(`tools of ${name} are taken as LangChain tools, in OpenAI's form, with a choice, and as an empty list`, () => {
      const model = subject.construct();
      const { weather } = createExampleTools();
      expect(model.bindTools([weather, OPENAI_WEATHER])).toBeInstanceOf(Runnable);
      expect(model.bindTools([weather], { tool_choice: "any" })).toBeInstanceOf(Runnable);
      expect(model.bindTools([])).toBeInstanceOf(Runnable);
    });

    it(`structured output of ${name} is available with Zod and with JSON Schema`, () => {
      const model = subject.construct();
      expect(model.withStructuredOutput(z.object({ city: z.string() }))).toBeInstanceOf(Runnable);
      expect(model.withStructuredOutput({ type: "object", properties: { city: { type: "string" } } })).toBeInstanceOf(Runnable);
    });

    it(`the parameters for tracing of ${name} have exactly the six keys`, () => {
      const params = subject.construct().getLsParams({ stop: ["END"] });
      expect(Object.keys(params).toSorted()).toEqual(LS_KEYS);
      expect(params).toMatchObject({ ls_provider: expect.stringMatching(/\S/), ls_model_type: "chat", ls_stop: ["END"] });
      expect(params.ls_model_name).toMatch(/\S/);
    });

    it(`the profile of ${name} lists its capabilities`, () => {
      const { profile } = subject.construct();
      expect(profile).toMatchObject({ toolCalling: true, structuredOutput: true, imageInputs: subject.takesImages });
    });

    it(`a chat model on ${name} can be written as JSON, without client and environment`, () => {
      const model = subject.construct({ request: { env: { PRIVATE: SECRET } } });
      const json = JSON.stringify(model);
      expect(JSON.parse(json)).toMatchObject({ lc: 1, id: expect.arrayContaining(["ChatCli"]) });
      expect(json).not.toContain(SECRET);
      expect(json.length).toBeLessThan(2_000);
    });

    it(`the trace of a call on ${name} contains nothing of its environment`, () => {
      const model = subject.construct({ request: { env: { PRIVATE: SECRET } } });
      expect(JSON.stringify([model.invocationParams({}), model.getLsParams({}), model._identifyingParams()])).not.toContain(
        SECRET,
      );
    });
  });
}
