import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { callBlock } from "../support/clis/call-blocks.ts";
import { CLI_NAMES, stageCli } from "./adapter-cli.ts";
import { bind, getWeather } from "./adapter-tools.ts";

const inOslo = { name: "get_weather", args: { city: "Oslo" } };
const inRome = { name: "get_weather", args: { city: "Rome" } };
const ID = /^call_[A-Za-z0-9_-]{1,59}$/;

test.for(CLI_NAMES)("R60 calls of %s without ids get ids that are unique in the whole conversation", async (name) => {
  const cli = stageCli(name, callBlock(inOslo, inRome), callBlock(inOslo, inRome));
  const adapter = bind(cli.adapter(), getWeather);
  const first = await adapter.invoke([new HumanMessage("Weather?")]);
  const second = await adapter.invoke([new HumanMessage("Weather?"), ...withResults(first)]);
  const ids = [...idsOf(first), ...idsOf(second)];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(ID);
});

test("R60 two conversations do not share the ids that were made up for them", async () => {
  const cli = stageCli("claude", callBlock(inOslo));
  const adapter = bind(cli.adapter(), getWeather);
  const first = await adapter.invoke([new HumanMessage("Weather?")]);
  const second = await adapter.invoke([new HumanMessage("Weather?")]);
  expect(idsOf(first)).not.toEqual(idsOf(second));
});

test.for(CLI_NAMES)("R60 an id that %s uses again, in one answer or later, is replaced; the first keeps it", async (name) => {
  const cli = stageCli(
    name,
    callBlock({ ...inOslo, id: "call_1" }, { ...inRome, id: "call_1" }),
    callBlock({ ...inOslo, id: "call_1" }),
  );
  const adapter = bind(cli.adapter(), getWeather);
  const first = await adapter.invoke([new HumanMessage("Weather?")]);
  const second = await adapter.invoke([new HumanMessage("Weather?"), ...withResults(first)]);
  const ids = [...idsOf(first), ...idsOf(second)];
  expect(ids[0]).toBe("call_1");
  expect(new Set(ids).size).toBe(3);
});

function idsOf({ tool_calls = [] }: AIMessage): readonly string[] {
  return tool_calls.map(({ id = "" }) => id);
}

function withResults(message: AIMessage): readonly BaseMessage[] {
  return [message, ...idsOf(message).map((id) => new ToolMessage({ content: "Rain", tool_call_id: id }))];
}
