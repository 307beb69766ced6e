import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent } from "langchain";
import { describe, expect, expectTypeOf, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import * as langchain from "../../src/adapters/langchain/index.ts";
import {
  ChatCli,
  type ClaudeCliProviderOptions,
  type CodexCliProviderOptions,
  createClaudeCliProvider,
  createCodexCliProvider,
  isModelAdapter,
  type ModelAdapter,
  toChatModel,
} from "../../src/adapters/langchain/index.ts";
import { CLI_NAMES, stageCli } from "./adapter-cli.ts";
import { bind, getWeather } from "./adapter-tools.ts";

const factories = [
  { name: "createClaudeCliProvider", create: createClaudeCliProvider },
  { name: "createCodexCliProvider", create: createCodexCliProvider },
] as const;

describe("the interface", () => {
  test("R1 an adapter has only invoke and, optionally, bindTools", () => {
    expectTypeOf<keyof ModelAdapter>().toEqualTypeOf<"invoke" | "bindTools">();
    expectTypeOf<{ invoke: ModelAdapter["invoke"] }>().toExtend<ModelAdapter>();
    expectTypeOf<ReturnType<ModelAdapter["invoke"]>>().toEqualTypeOf<Promise<AIMessage>>();
    expectTypeOf<ReturnType<NonNullable<ModelAdapter["bindTools"]>>>().toEqualTypeOf<ModelAdapter>();
  });

  test("R1 the agent loop needs nothing of an adapter but its two methods", async () => {
    const bound: string[][] = [];
    const adapter: ModelAdapter = {
      invoke: () => Promise.reject(new Error("asked without tools")),
      bindTools: (tools) => {
        bound.push(tools.map((tool) => ("name" in tool ? String(tool.name) : "")));
        return { invoke: callsWeatherThenAnswers };
      },
    };
    const agent = createAgent({ model: toChatModel(adapter), tools: [getWeather] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Weather in Oslo?")] });
    expect(bound[0]).toEqual(["get_weather"]);
    expect(messages.map(({ text }) => text)).toEqual(["Weather in Oslo?", "", "Rain in Oslo", "It rains."]);
  });

  test("R47 the agent loop runs the tools of an adapter that has no bindTools", async () => {
    const agent = createAgent({ model: toChatModel({ invoke: callsWeatherThenAnswers }), tools: [getWeather] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Weather in Oslo?")] });
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages.at(-1)?.text).toBe("It rains.");
  });

  test("R47 the agent loop works without tools on an adapter that has no bindTools", async () => {
    const agent = createAgent({ model: toChatModel({ invoke: async () => new AIMessage("Hello.") }), tools: [] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Hi")] });
    expect(messages.at(-1)?.text).toBe("Hello.");
  });
});

describe("isModelAdapter", () => {
  const invoke = async (): Promise<AIMessage> => new AIMessage("Yes.");

  test("R2 isModelAdapter accepts an object with invoke, its own or inherited", () => {
    class Inherited {
      invoke = invoke;
    }
    expect(
      [{ invoke }, { invoke, bindTools: () => ({ invoke }) }, new Inherited(), Object.create({ invoke })].map(isModelAdapter),
    ).toEqual([true, true, true, true]);
  });

  test("R2 isModelAdapter rejects an object without invoke, or whose invoke is no function", () => {
    expect([{}, [], { invoke: "yes" }, { invoke: undefined }, { bindTools: invoke }].map(isModelAdapter)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test("R3 isModelAdapter rejects whatever has _generate, its own or inherited, even without a value", () => {
    const inherited: object = Object.create({ _generate: invoke });
    const candidates = [{ invoke, _generate: invoke }, { invoke, _generate: undefined }, Object.assign(inherited, { invoke })];
    expect(candidates.map(isModelAdapter)).toEqual([false, false, false]);
  });

  test("R3 isModelAdapter rejects LangChain's chat models and ours, which toChatModel gives back as they are", () => {
    for (const model of [new FakeListChatModel({ responses: ["Hi"] }), new ChatCli({ provider: "claude" })]) {
      expect(isModelAdapter(model)).toBe(false);
      expect(toChatModel(model)).toBe(model);
    }
  });

  test("R4 isModelAdapter rejects values that are no objects, without throwing", () => {
    expect([null, undefined, "claude", "", 7, Number.NaN, true, 1n, Symbol("x")].map(isModelAdapter)).toEqual(
      Array.from({ length: 9 }, () => false),
    );
  });
});

describe("the factories", () => {
  test.for(factories)("R5 R27 R52 $name needs no option and makes an adapter with invoke and bindTools", ({ create }) => {
    for (const adapter of [create(), create({})]) {
      expect(isModelAdapter(adapter)).toBe(true);
      expect(isModelAdapter(bind(adapter, getWeather))).toBe(true);
      expect(adapter.invoke).toBeTypeOf("function");
    }
  });

  test.for(CLI_NAMES)("R44 making an adapter of %s and binding tools starts no process; asking starts one", async (name) => {
    const cli = stageCli(name, "Hello.");
    const adapters = [cli.adapter(), cli.adapter({ model: "m" }), bind(cli.adapter(), getWeather)];
    expect(cli.starts()).toBe(0);
    await adapters[0]?.invoke([new HumanMessage("Hi")]);
    expect(await cli.calls()).toHaveLength(1);
  });

  test("R48 R64 coxswain/langchain exports the adapter, its check, both factories and their options", () => {
    expect(packageFile.exports).toHaveProperty(["./langchain", "types"], "./dist/adapters/langchain/index.d.ts");
    expect(packageFile.exports).toHaveProperty(["./langchain", "default"], "./dist/adapters/langchain/index.js");
    expect(Object.keys(langchain)).toEqual(
      expect.arrayContaining(["isModelAdapter", "createClaudeCliProvider", "createCodexCliProvider"]),
    );
    expectTypeOf(createClaudeCliProvider).parameter(0).toEqualTypeOf<ClaudeCliProviderOptions | undefined>();
    expectTypeOf(createCodexCliProvider).parameter(0).toEqualTypeOf<CodexCliProviderOptions | undefined>();
  });
});

/** Calls a tool until the conversation contains a tool result. */
async function callsWeatherThenAnswers(messages: Parameters<ModelAdapter["invoke"]>[0]): Promise<AIMessage> {
  if (messages.at(-1)?.type === "tool") return new AIMessage("It rains.");
  const call = { name: "get_weather", args: { city: "Oslo" }, id: "call_1", type: "tool_call" } as const;
  return new AIMessage({ content: "", tool_calls: [call] });
}
