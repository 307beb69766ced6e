import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { Message, ToolDefinition } from "../../src/spec/message.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { AGENT_TARGETS, agentRequest } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { keepingClient, PROMPT, RAIN, sentMessages, withResults } from "./caller-loop.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";
import { WEATHER } from "./weather-tool.ts";

const ask = (...cities: readonly string[]): FakeAnswer => ({
  kind: "tool-calls",
  calls: cities.map((city) => ({ name: "get_weather", input: { city } })),
});

describe.each(["claude", "codex"] as const)("host tools as tools of real %s", (name) => {
  it(`a function runs in the caller, and its results reach ${name}'s model as results of its own calls`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), ask("Bergen", "Moss"), RAIN]);
    const made: JsonObject[] = [];
    const callTool = ({ args }: { readonly args: JsonObject }): JsonObject => {
      made.push(args);
      return { rain: args["city"] ?? "" };
    };
    const run = await cli.run({ prompt: PROMPT.text, tools: [WEATHER] }, { context: { callTool } });
    expect(made.toSorted((left, right) => String(left["city"]).localeCompare(String(right["city"])))).toEqual([
      { city: "Bergen", days: 1 },
      { city: "Moss", days: 1 },
      { city: "Oslo", days: 1 },
    ]);
    expect(run.result).toMatchObject({ text: "It rains.", finish: "stop", toolCalls: [{ name: "get_weather" }, {}, {}] });
    expect(eventsOf(run, "tool-call").map(({ executor }) => executor)).toEqual(["host", "host", "host"]);
    const [first, second, third] = modelRequestsOf(cli);
    expect([first?.tools, second?.tools, third?.tools]).toEqual([["get_weather"], ["get_weather"], ["get_weather"]]);
    expect(second?.user.at(-1)).toBe('{"rain":"Oslo"}');
    expect(third?.user.slice(-2).toSorted()).toEqual(['{"rain":"Bergen"}', '{"rain":"Moss"}']);
  });

  it(`an agent on ${name} has host tools beside its own`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), RAIN]);
    const request = { ...agentRequest(cli, {}), tools: [WEATHER] };
    const run = await cli.run(request, { target: AGENT_TARGETS[name], context: { callTool: () => "sunshine" } });
    expect(run.result).toMatchObject({ text: "It rains.", toolCalls: [{ name: "get_weather", output: "sunshine" }] });
    const own = (modelRequestsOf(cli)[0]?.tools ?? []).filter((tool) => tool !== WEATHER.name);
    expect(own.length).toBeGreaterThan(0);
    const { spawn, resident } = cli.provider.transports;
    const { names = /./, ownNames = /^$/ } = spawn.nativeTools ?? resident?.nativeTools ?? {};
    expect(own.filter((tool) => names.test(tool) && !ownNames.test(tool))).toEqual([]);
  });

  it(`a loop of the caller goes on in one process of ${name}, and each request to the model continues the one before`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), ask("Bergen", "Moss"), RAIN]);
    const client = keepingClient(cli);
    let messages: readonly Message[] = [PROMPT];
    const warm: boolean[] = [];
    for (;;) {
      const run = await cli.run({ messages, tools: [WEATHER] }, { client });
      warm.push(...eventsOf(run, "attempt-start").map((event) => event.warm));
      expect(run.result.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      if (run.result.finish !== "tool-calls") break;
      messages = withResults(messages, run.result);
    }
    expect(warm).toEqual([false, true, true]);
    const [first = [], second = [], third = []] = modelRequestsOf(cli).map(sentMessages);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(third.slice(0, second.length)).toEqual(second);
    expect(modelRequestsOf(cli)[2]?.user.slice(-2)).toEqual(["rain in Bergen", "rain in Moss"]);
  });

  it(`a parked turn of ${name} that is not continued ends, and its model is not asked again`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), RAIN]);
    const client = keepingClient(cli, { parkedMs: 200, processes: 1 });
    const { result } = await cli.run({ messages: [PROMPT], tools: [WEATHER] }, { client });
    expect(result.finish).toBe("tool-calls");
    await sleep(3000);
    expect(cli.api.modelRequests).toHaveLength(1);
    const again = await cli.run({ messages: withResults([PROMPT], result), tools: [WEATHER] }, { client });
    expect(again.result.text).toBe("It rains.");
    expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain("rain in Oslo");
  });

  it(`closing the client while a turn of ${name} is parked asks its model nothing more`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), RAIN]);
    const client = keepingClient(cli);
    await cli.run({ messages: [PROMPT], tools: [WEATHER] }, { client });
    await client.close();
    expect(cli.api.modelRequests).toHaveLength(1);
  });

  it(`${name} offers every tool, also those with schemas that it would drop, and passes long results on whole`, async () => {
    const size = name === "claude" ? 440_000 : 99_000;
    const cli = await openRealCli(name, [
      { kind: "tool-calls", calls: [{ name: "get_weather", input: { city: "Oslo" } }] },
      RAIN,
    ]);
    const tools: readonly ToolDefinition[] = [
      WEATHER,
      { name: "no_schema" },
      {
        name: "union",
        parameters: {
          anyOf: [
            { type: "object", properties: { a: {} } },
            { type: "object", properties: { b: {} } },
          ],
        },
      },
      { name: "reference", parameters: { $ref: "#/$defs/it", $defs: { it: { type: "object" } } } },
      { name: "anything", parameters: { type: "object", properties: { x: true } } },
    ];
    const run = await cli.run(
      { prompt: PROMPT.text, tools, hostTools: "native" },
      { context: { callTool: () => "x".repeat(size) } },
    );
    expect(run.result.text).toBe("It rains.");
    const [first, second] = modelRequestsOf(cli);
    expect(first?.tools.toSorted()).toEqual(["anything", "get_weather", "no_schema", "reference", "union"]);
    expect(second?.user.at(-1)).toBe("x".repeat(size));
  });

  it(`${name} gives a structured answer after it has used host tools`, async () => {
    const value = { umbrella: true };
    const cli = await openRealCli(name, [
      ask("Oslo"),
      name === "claude"
        ? { kind: "tool-calls", calls: [{ name: "StructuredOutput", input: value }] }
        : { kind: "text", text: JSON.stringify(value) },
      RAIN,
    ]);
    const outputSchema = {
      type: "object",
      properties: { umbrella: { type: "boolean" } },
      required: ["umbrella"],
      additionalProperties: false,
    };
    const run = await cli.run({ prompt: PROMPT.text, tools: [WEATHER], outputSchema }, { context: { callTool: () => "rain" } });
    expect(run.result).toMatchObject({ object: value, finish: "stop" });
    expect(run.result.toolCalls.map((call) => call.name)).toContain("get_weather");
  });
});
