import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Message } from "../../../src/spec/message.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import { keepingClient, PROMPT, RAIN, sentMessages, withResults } from "../caller-loop.ts";
import { eventsOf, openRealCli, type RealRun } from "../open-real-cli.ts";
import { DEAD_PROXY } from "../proxies.ts";
import { WEATHER } from "../weather-tool.ts";

/** A CLI whose calls by the bridge can be parked. */
export type ParkedRow = {
  readonly name: "copilot" | "qwen";
  /** The CLI's name of the weather tool. */
  readonly tool: string;
  /** True if the CLI counts no tokens. */
  readonly isEstimated: boolean;
  /** Variables of the CLI: a proxy that it does not ask for the bridge. */
  readonly env: Readonly<Record<string, string>>;
};

/** The CLIs whose calls by the bridge can be parked. */
export const PARKED_ROWS: readonly ParkedRow[] = [
  { name: "copilot", tool: "host-get_weather", isEstimated: true, env: DEAD_PROXY },
  { name: "qwen", tool: "mcp__host__get_weather", isEstimated: false, env: DEAD_PROXY },
];

/** Loops of the caller by the bridge: they go on in one process, and one that is given up asks the model nothing more. */
export function describeParked({ name, tool, isEstimated, env }: ParkedRow): void {
  const ask = (...cities: readonly string[]): Extract<FakeAnswer, { kind: "tool-calls" }> => ({
    kind: "tool-calls",
    calls: cities.map((city) => ({ name: tool, input: { city } })),
  });

  it(`a loop of the caller goes on in one process of ${name}: each request to the model continues the one before, and a wrong call is sent back`, async () => {
    const unknown = { name: "no_such_tool", input: {} };
    const wrong: FakeAnswer = { kind: "tool-calls", calls: [{ name: tool, input: { town: "Oslo" } }] };
    const mixed: FakeAnswer = { kind: "tool-calls", calls: [unknown, ...ask("Bergen", "Moss").calls] };
    const refused: FakeAnswer = { kind: "tool-calls", calls: [unknown] };
    const cli = await openRealCli(name, [ask("Oslo"), mixed, wrong, ask("Bergen"), refused, RAIN]);
    const client = keepingClient(cli);
    let messages: readonly Message[] = [PROMPT];
    const runs: RealRun[] = [];
    for (;;) {
      const run = await cli.run({ messages, tools: [WEATHER], env }, { client });
      runs.push(run);
      if (run.result.finish !== "tool-calls") break;
      messages = withResults(messages, run.result);
    }
    const weather = (city: string) => ["get_weather", city];
    const called = runs.map(({ result }) => result.hostCalls?.map((call) => [call.name, call.args["city"]]));
    expect(called).toEqual([[weather("Oslo")], [weather("Bergen"), weather("Moss")], [weather("Bergen")], undefined]);
    const warm = runs.flatMap((run) => eventsOf(run, "attempt-start").map((event) => event.warm));
    expect(warm).toEqual([false, true, true, true, true]);
    expect(runs.map(({ result }) => result.usage?.estimated)).toEqual(Array(4).fill(isEstimated));
    const counted = runs.map(({ result }) => result.usage?.inputTokens);
    if (!isEstimated) expect(counted).toEqual([100, 100, 200, 200]);
    const requests = modelRequestsOf(cli);
    expect(requests.map(({ tools }) => tools)).toEqual(Array(6).fill([tool]));
    const sent = requests.map(sentMessages);
    for (const [index, before] of sent.slice(0, -1).entries()) expect(sent[index + 1]?.slice(0, before.length)).toEqual(before);
    expect(requests[1]?.user.at(-1)).toBe("rain in Oslo");
    expect(requests[2]?.user.slice(-2)).toEqual(["rain in Bergen", "rain in Moss"]);
    expect(requests[3]?.user.at(-1)).toContain("city");
  });

  it(`a parked turn of ${name} that is not continued, or whose client is closed, ends without a request to its model`, async () => {
    const cli = await openRealCli(name, [ask("Oslo"), ask("Bergen", "Moss"), RAIN]);
    const client = keepingClient(cli, { parkedMs: 200 });
    const { result } = await cli.run({ messages: [PROMPT], tools: [WEATHER] }, { client });
    expect(result.finish).toBe("tool-calls");
    await sleep(2000);
    expect(cli.api.modelRequests).toHaveLength(1);
    const patient = keepingClient(cli);
    const again = await cli.run({ messages: withResults([PROMPT], result), tools: [WEATHER] }, { client: patient });
    expect(again.result.hostCalls).toMatchObject([{ args: { city: "Bergen" } }, { args: { city: "Moss" } }]);
    expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain("rain in Oslo");
    await patient.close();
    expect(cli.api.modelRequests).toHaveLength(2);
  });
}
