import { ChatAnthropic } from "@langchain/anthropic";
import { type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/index.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { openGateway } from "./anthropic-gateway.ts";

const weather = tool(({ city }) => `rain in ${city}`, {
  name: "get_weather",
  description: "Weather of a city",
  schema: z.object({ city: z.string() }),
});
const CALL = answers(callBlock({ name: "get_weather", args: { city: "Oslo" }, id: "call_1" }));

async function openModel(client: Client): Promise<ChatAnthropic> {
  const { url, fetch } = await openGateway(client);
  return new ChatAnthropic({
    model: "plain",
    apiKey: "none",
    maxTokens: 1000,
    maxRetries: 0,
    clientOptions: { baseURL: url, fetch },
  });
}

it("LangChain's Anthropic model answers, with its tokens", async () => {
  const model = await openModel(openCli([answers("Good day.")]).client);
  const answer = await model.invoke([
    ["system", "Be polite."],
    ["human", "Hello"],
  ]);
  expect(answer.text).toBe("Good day.");
  expect(answer.usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 3 });
  expect(answer.response_metadata).toMatchObject({ stop_reason: "end_turn", model: "plain" });
});

it("LangChain's Anthropic model streams", async () => {
  const model = await openModel(openCli([answers("Good day.", { pieces: ["Good ", "day."] })]).client);
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream("Hello")) whole = whole === undefined ? chunk : whole.concat(chunk);
  expect(whole?.text).toBe("Good day.");
  expect(whole?.usage_metadata).toMatchObject({ output_tokens: 3 });
});

it("a loop with a tool of LangChain calls it and gets the answer", async () => {
  const cli = openCli([CALL, answers("It rains.")]);
  const model = (await openModel(cli.client)).bindTools([weather]);
  const question = new HumanMessage("Do I need an umbrella in Oslo?");
  const asked = await model.invoke([question]);
  expect(asked.tool_calls).toMatchObject([{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }]);
  const results = await Promise.all((asked.tool_calls ?? []).map((call) => weather.invoke({ ...call, type: "tool_call" })));
  const answer = await model.invoke([question, asked, ...results.filter((result) => ToolMessage.isInstance(result))]);
  expect(answer.text).toBe("It rains.");
  expect((await cli.calls())[1]?.prompt).toContain("rain in Oslo");
});

it("a streamed call of LangChain has its arguments", async () => {
  const model = (await openModel(openCli([CALL]).client)).bindTools([weather]);
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream("What is the weather in Oslo?"))
    whole = whole === undefined ? chunk : whole.concat(chunk);
  expect(whole?.tool_calls).toMatchObject([{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }]);
});

it.each(["jsonSchema", "functionCalling"] as const)("LangChain's structured output works by %s", async (method) => {
  const boat = { name: "Ada", length: 7 };
  const text = method === "jsonSchema" ? JSON.stringify(boat) : callBlock({ name: "boat", args: boat });
  const model = await openModel(openCli([answers(text)]).client);
  const schema = z.object({ name: z.string(), length: z.number() });
  expect(await model.withStructuredOutput(schema, { name: "boat", method }).invoke("Name a boat.")).toEqual(boat);
});
