import { HumanMessage } from "@langchain/core/messages";
import { Runnable } from "@langchain/core/runnables";
import { StructuredTool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { ChatCli, createCliProvider, toChatModel } from "../../src/adapters/langchain/index.ts";

// The eight checks that LangChain makes of every chat model before it is called (langchainjs, internal/standard-tests, unit tests).

/** The fields that LangChain's checks pass to every model. */
const CUSTOMARY = { temperature: 0, maxTokens: 100, timeout: 60, stopSequences: [], maxRetries: 2 };
const open = (fields: object = {}): ChatCli => new ChatCli({ ...CUSTOMARY, ...fields, provider: "rehearsal" });

const PERSON = z.object({ name: z.string().describe("Full name"), age: z.int().positive() });

class PersonTool extends StructuredTool {
  override name = "remember_person";
  override description = "Remembers a person";
  override schema = PERSON;

  protected override async _call(person: { readonly name: string }): Promise<string> {
    return person.name;
  }
}

describe("LangChain's checks of a model that is not called", () => {
  it("1: a model is constructed with the fields that are customary", () => {
    expect(open()).toBeInstanceOf(ChatCli);
    expect(open().getLsParams({}).ls_max_tokens).toBe(100);
  });

  it("2: a model is constructed with an API key, which it does not keep", () => {
    const model = open({ apiKey: "a-key-of-a-service" });
    expect(JSON.stringify([model, model.lc_kwargs])).not.toContain("a-key-of-a-service");
  });

  it("3: a model is constructed for streaming", () => {
    expect(open({ streaming: true }).disableStreaming).toBe(false);
  });

  it("4: a tool that is an object of a class can be bound", () => {
    expect(open().bindTools([new PersonTool()])).toBeInstanceOf(Runnable);
  });

  it.each([PERSON, z3.object({ name: z3.string(), age: z3.number().int() })])(
    "5: structured output takes Zod 3 and 4",
    (schema) => {
      expect(open().withStructuredOutput(schema)).toBeInstanceOf(Runnable);
    },
  );

  it("6: the parameters for tracing have the six standard keys", () => {
    const keys = ["ls_max_tokens", "ls_model_name", "ls_model_type", "ls_provider", "ls_stop", "ls_temperature"];
    expect(Object.keys(open().getLsParams({})).toSorted()).toEqual(keys);
  });

  const models = [
    open(),
    toChatModel(createCliProvider("rehearsal")),
    toChatModel({ invoke: () => Promise.reject(new Error("asked")) }),
  ];

  it.each(models)("7: invoke with a signal that is aborted rejects", async (model) => {
    const call = model.invoke([new HumanMessage("hello")], { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });

  it.each(models)("8: a stream with a signal that is aborted has no chunk", async (model) => {
    const chunks: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of await model.stream([new HumanMessage("hello")], { signal: AbortSignal.abort() }))
        chunks.push(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect(chunks).toEqual([]);
  });
});
