import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { Message } from "../../src/spec/message.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { WarmOptions } from "../../src/spec/warm.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { modelRequestsOf } from "./model-request.ts";
import { eventsOf, type OpenRealCli, openRealCli } from "./open-real-cli.ts";
import { WEATHER } from "./weather-tool.ts";

const NAME = "host-get_weather";
const RAIN: FakeAnswer = { kind: "text", text: "It rains." };
const PROMPT = { role: "user", text: "What is the weather?" } as const;

function ask(...cities: readonly string[]): Extract<FakeAnswer, { kind: "tool-calls" }> {
  return { kind: "tool-calls", calls: cities.map((city) => ({ name: NAME, input: { city } })) };
}

function keepingClient({ env, provider }: OpenRealCli, warm: WarmOptions = {}): ReturnType<typeof createClient> {
  const client = createClient({ policies: false, env, providers: [provider], warm });
  onTestFinished(() => client.close());
  return client;
}

function withResults(messages: readonly Message[], { text, hostCalls = [] }: RunResult): readonly Message[] {
  const results = hostCalls.map(({ id, args }) => ({ role: "tool", callId: id, text: `rain in ${args["city"]}` }) as const);
  return [...messages, { role: "assistant", text, toolCalls: hostCalls }, ...results];
}

function sentMessages({ body }: { readonly body: JsonObject }): readonly string[] {
  return ((body["messages"] ?? []) as readonly unknown[]).map((message) => JSON.stringify(message));
}

it("a loop of the caller goes on in one process of copilot: each request to the model continues the one before, and a wrong call is sent back", async () => {
  const unknown = { name: "no_such_tool", input: {} };
  const wrong: FakeAnswer = { kind: "tool-calls", calls: [{ name: NAME, input: { town: "Oslo" } }] };
  const mixed: FakeAnswer = { kind: "tool-calls", calls: [unknown, ...ask("Bergen", "Moss").calls] };
  const cli = await openRealCli("copilot", [
    ask("Oslo"),
    mixed,
    wrong,
    ask("Bergen"),
    { kind: "tool-calls", calls: [unknown] },
    RAIN,
  ]);
  const client = keepingClient(cli);
  let messages: readonly Message[] = [PROMPT];
  const warm: boolean[] = [];
  const called: unknown[] = [];
  for (;;) {
    const run = await cli.run({ messages, tools: [WEATHER] }, { client });
    warm.push(...eventsOf(run, "attempt-start").map((event) => event.warm));
    called.push(run.result.hostCalls?.map(({ name, args }) => [name, args["city"]]));
    expect(run.result.usage).toMatchObject({ estimated: true });
    if (run.result.finish !== "tool-calls") break;
    messages = withResults(messages, run.result);
  }
  const weather = (city: string) => ["get_weather", city];
  expect(called).toEqual([[weather("Oslo")], [weather("Bergen"), weather("Moss")], [weather("Bergen")], undefined]);
  expect(warm).toEqual([false, true, true, true, true]);
  const requests = modelRequestsOf(cli);
  expect(requests.map(({ tools }) => tools)).toEqual(Array(6).fill([NAME]));
  const sent = requests.map(sentMessages);
  for (const [index, before] of sent.slice(0, -1).entries()) expect(sent[index + 1]?.slice(0, before.length)).toEqual(before);
  expect(requests[1]?.user.at(-1)).toBe("rain in Oslo");
  expect(requests[2]?.user.slice(-2)).toEqual(["rain in Bergen", "rain in Moss"]);
  expect(requests[3]?.user.at(-1)).toContain("city");
});

it("a parked turn of copilot that is not continued, or whose client is closed, ends without a request to its model", async () => {
  const cli = await openRealCli("copilot", [ask("Oslo"), ask("Bergen"), RAIN]);
  const client = keepingClient(cli, { parkedMs: 200 });
  const { result } = await cli.run({ messages: [PROMPT], tools: [WEATHER] }, { client });
  expect(result.finish).toBe("tool-calls");
  await sleep(2000);
  expect(cli.api.modelRequests).toHaveLength(1);
  const patient = keepingClient(cli);
  const again = await cli.run({ messages: withResults([PROMPT], result), tools: [WEATHER] }, { client: patient });
  expect(again.result.hostCalls).toMatchObject([{ args: { city: "Bergen" } }]);
  expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain("rain in Oslo");
  await patient.close();
  expect(cli.api.modelRequests).toHaveLength(2);
});
