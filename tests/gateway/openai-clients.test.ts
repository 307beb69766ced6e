import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, isStepCount, Output, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { builtinProviders } from "../../src/index.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { answers, type Play, says, spends, tokens } from "../support/clis/plays.ts";
import { openGateway, openPlayed } from "./openai-gateway.ts";

const QUESTION = "What is the weather?";
const CALLS = answers(
  callBlock({ name: "get_weather", args: { city: "Oslo" } }, { name: "get_weather", args: { city: "Bergen" } }),
);
const RAIN: Play = [
  { events: [{ type: "reasoning-delta", messageId: "message", text: "Clouds." }] },
  says("It "),
  { events: [{ type: "text-delta", messageId: "message", text: "rains." }, spends({ usage: tokens(10, 3) })] },
  { end: { finish: "stop", answerId: "message" } },
];
const object = { umbrella: true };
const OBJECT: Play = [{ events: [{ type: "object-delta", object }] }, { end: { finish: "stop" } }];
const Umbrella = z.object({ umbrella: z.boolean() });

describe.each([false, true])("ChatOpenAI of LangChain, with useResponsesApi %s", (useResponsesApi) => {
  const open = async (plays: readonly Play[]): Promise<ChatOpenAI> => {
    const { url } = await openPlayed(plays);
    return new ChatOpenAI({ model: "plain", apiKey: "unused", useResponsesApi, maxRetries: 0, configuration: { baseURL: url } });
  };

  it("answers and streams", async () => {
    const model = await open([RAIN]);
    const answer = await model.invoke(QUESTION);
    expect(answer.text).toBe("It rains.");
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 3 });
    const pieces: string[] = [];
    for await (const chunk of await model.stream(QUESTION)) pieces.push(chunk.text);
    expect(pieces.join("")).toBe("It rains.");
  });

  it("calls tools, streamed and not, and goes on with their results", async () => {
    const model = await open([CALLS, RAIN, CALLS]);
    const weather = langChainTool(({ city }) => `rain in ${city}`, {
      name: "get_weather",
      schema: z.object({ city: z.string() }),
    });
    const bound = model.bindTools([weather]);
    const asked = [new HumanMessage(QUESTION)];
    const calling = await bound.invoke(asked);
    expect(calling.tool_calls).toMatchObject([{ args: { city: "Oslo" } }, { args: { city: "Bergen" } }]);
    const results = (calling.tool_calls ?? []).map(
      ({ id = "", args }) => new ToolMessage({ tool_call_id: id, content: `rain in ${args["city"]}` }),
    );
    expect((await bound.invoke([...asked, calling, ...results])).text).toBe("It rains.");
    let whole: Awaited<ReturnType<typeof bound.stream>> extends AsyncIterable<infer Chunk> ? Chunk | undefined : never;
    for await (const chunk of await bound.stream(asked)) whole = whole === undefined ? chunk : whole.concat(chunk);
    expect(whole?.tool_calls).toMatchObject([{ args: { city: "Oslo" } }, { args: { city: "Bergen" } }]);
  });

  it("gives structured output", async () => {
    const model = await open([OBJECT]);
    expect(await model.withStructuredOutput(Umbrella, { method: "jsonSchema" }).invoke(QUESTION)).toEqual(object);
  });
});

describe("the openai-compatible provider of the AI SDK", () => {
  const open = async (plays: readonly Play[]) => {
    const { url } = await openPlayed(plays);
    const provider = createOpenAICompatible({
      name: "coxswain",
      baseURL: url,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return { model: provider.chatModel("plain"), maxRetries: 0 };
  };
  const tools = {
    get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `rain in ${city}` }),
  };

  it("answers and streams, with reasoning and usage", async () => {
    const settings = await open([RAIN]);
    const answer = await generateText({ ...settings, prompt: QUESTION });
    expect([answer.text, answer.reasoningText]).toEqual(["It rains.", "Clouds."]);
    expect(answer.usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
    const stream = streamText({ ...settings, prompt: QUESTION });
    expect([await stream.text, await stream.reasoningText, await stream.finishReason]).toEqual(["It rains.", "Clouds.", "stop"]);
    expect(await stream.usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
  });

  it("runs a loop of tools, streamed and not", async () => {
    const loop = { prompt: QUESTION, tools, stopWhen: isStepCount(3) };
    const whole = await generateText({ ...(await open([CALLS, RAIN])), ...loop });
    expect([whole.text, whole.steps.length]).toEqual(["It rains.", 2]);
    expect(whole.steps[0]?.toolResults.map(({ output }) => output)).toEqual(["rain in Oslo", "rain in Bergen"]);
    const stream = streamText({ ...(await open([CALLS, RAIN])), ...loop });
    expect(await stream.text).toBe("It rains.");
  });

  it("gives structured output", async () => {
    const { output } = await generateText({
      ...(await open([OBJECT])),
      prompt: QUESTION,
      output: Output.object({ schema: Umbrella }),
    });
    expect(output).toEqual(object);
  });
});

it("the built-in CLI answers OpenAI's client in each API", async () => {
  const { openai } = await openGateway({ providers: builtinProviders, policies: false });
  const chat = await openai.chat.completions.create({ model: "rehearsal", messages: [{ role: "user", content: "Hello?" }] });
  expect(chat.choices[0]?.message.content).toContain("You asked: “Hello?”.");
  const stream = openai.responses.stream({
    model: "rehearsal/tool-caller",
    input: "Call now",
    tools: [{ type: "function", name: "now", strict: false, parameters: null }],
  });
  expect((await stream.finalResponse()).output).toMatchObject([{ type: "function_call", name: "now", arguments: "{}" }]);
});
