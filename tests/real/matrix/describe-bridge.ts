import { expect, it } from "vitest";
import { capabilitiesOf } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { HostCall, ToolDefinition } from "../../../src/spec/message.ts";
import type { ToolEnd } from "../../../src/spec/wire/events.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import { agentRequest, agentTargetOf } from "../../support/real-clis/agent-request.ts";
import { type ModelRequest, modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { CliName } from "../../support/real-clis/real-cli.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";
import { DEAD_PROXY } from "../proxies.ts";
import { WEATHER } from "../weather-tool.ts";

/** A CLI that gets host tools by the bridge. */
export type BridgeRow = {
  readonly name: CliName;
  /** The CLI's name of a tool of the bridge, as the model calls it. */
  readonly tool: (name: string) => string;
  /** The longest result that reaches the model whole. */
  readonly resultBytes: number;
  readonly hasAgents?: false;
  /** An argument that the CLI adds to every tool. */
  readonly added?: JsonObject;
  /** False if the CLI would tell the model that a tool with any arguments has none. */
  readonly takesAny?: false;
  /** For a CLI whose model finds and calls the tools by others: those that it is offered, and its calls. */
  readonly by?: {
    readonly offered: readonly string[];
    readonly call: (tool: string, input: JsonObject) => Call;
    /** Calls of the first answer besides those of host tools, and what the model is told about them. */
    readonly besides: readonly (readonly [call: Call, told: string])[];
  };
};

type Call = { readonly name: string; readonly input: JsonObject };

const LONG_DESCRIPTION = "y".repeat(10_000);

/** The CLIs that get host tools by the bridge. */
export const BRIDGE_ROWS: readonly BridgeRow[] = [
  {
    name: "gemini",
    tool: (name) => `mcp_host_${name}`,
    resultBytes: 200_000,
    hasAgents: false,
    added: { wait_for_previous: true },
  },
  { name: "qwen", tool: (name) => `mcp__host__${name}`, resultBytes: 15_000 },
  { name: "opencode", tool: (name) => `host_${name}`, resultBytes: 30_000, takesAny: false },
  { name: "copilot", tool: (name) => `host-${name}`, resultBytes: 15_000 },
  {
    name: "grok",
    tool: (name) => `host__${name}`,
    resultBytes: 450_000,
    hasAgents: false,
    by: {
      offered: ["search_tool", "use_tool"],
      call: (tool, input) => ({ name: "use_tool", input: { tool_name: tool, tool_input: input } }),
      besides: [
        [{ name: "search_tool", input: { query: "no_schema" } }, LONG_DESCRIPTION],
        // It could read a file for the model.
        [{ name: "use_tool", input: { tool_name: "host__no_schema", tool_input_file: "/proc/self/status" } }, "Read denied"],
        [{ name: "use_tool", input: { file: ".a/hidden.json" } }, "Read denied"],
        [{ name: "read_file", input: { target_file: "/etc/hostname" } }, "not found"],
      ],
    },
  },
];

/** Tools that a CLI might drop or cut. */
const OTHERS: readonly ToolDefinition[] = [
  { name: "no_schema", description: LONG_DESCRIPTION },
  { name: "n".repeat(50), parameters: { type: "object", properties: { x: true } } },
];
const UNION: ToolDefinition = {
  name: "a-union",
  parameters: { anyOf: [{ type: "object", properties: { a: {} } }, { type: "object" }] },
};
const RAIN: FakeAnswer = { kind: "text", text: "It rains." };

/** The model's calls of the weather tool of the caller. */
function callsOf(row: BridgeRow, ...inputs: readonly JsonObject[]): Extract<FakeAnswer, { kind: "tool-calls" }> {
  const { tool, by } = row;
  const weather = tool("get_weather");
  return { kind: "tool-calls", calls: inputs.map((input) => by?.call(weather, input) ?? { name: weather, input }) };
}

/** The caller's functions run in a completion, and the model is offered nothing else. */
export function describeBridge(row: BridgeRow): void {
  const { name, tool, resultBytes, takesAny = true, added = {}, by } = row;
  const besides = by?.besides ?? [];

  it(`functions run in the caller, their results reach ${name}'s model as results of its calls, and it is offered nothing else`, async () => {
    const { kind, calls } = callsOf(row, { city: "Oslo" }, { city: "Bergen", ...added });
    const first = { kind, calls: [...besides.map(([call]) => call), ...calls] };
    const cli = await openRealCli(name, [first, callsOf(row, { city: "nowhere" }), callsOf(row, { town: "Moss" }), RAIN]);
    const made: unknown[] = [];
    const callTool = ({ name: called, args }: HostCall): string => {
      made.push([called, args["city"], args["days"]]);
      if (args["city"] === "nowhere") throw new Error("There is no such city.");
      return args["city"] === "Oslo" ? "x".repeat(resultBytes) : "rain in Bergen";
    };
    const tools = [WEATHER, ...OTHERS, ...(takesAny ? [UNION] : [])];
    const run = await cli.run({ prompt: "Hi.", tools, hostTools: "native", env: DEAD_PROXY }, { context: { callTool } });
    expect(run.failure).toBeUndefined();
    expect(made.toSorted()).toEqual(["Bergen", "Oslo", "nowhere"].map((city) => ["get_weather", city, 1]));
    const requests = modelRequestsOf(cli);
    const offered = by?.offered ?? tools.map((definition) => tool(definition.name)).toSorted();
    expect(requests.map((request) => request.tools.toSorted())).toEqual([offered, offered, offered, offered]);
    expectTold(row, tools, requests);
    expect(run.result).toMatchObject({ text: "It rains.", finish: "stop" });
    expect(run.result).not.toHaveProperty("hostCalls");
    const ofWeather = <Event extends { readonly name: string }>(event: Event): boolean => event.name === "get_weather";
    expect(eventsOf(run, "tool-start").filter(ofWeather)).toHaveLength(4);
    expect(eventsOf(run, "tool-start")).toHaveLength(4 + besides.length);
    expect(
      eventsOf(run, "tool-call")
        .filter(ofWeather)
        .map(({ executor }) => executor),
    ).toEqual(Array(4).fill("host"));
    expect(eventsOf(run, "tool-end").filter(ofWeather).map(summaryOf).toSorted()).toEqual([
      '{"city":"Bergen"} false rain in',
      '{"city":"Oslo"} false xxxxxxx',
      '{"city":"nowhere"} true There i',
      expect.stringMatching(/^\{"town":"Moss"\} true ./),
    ]);
    expect(capabilitiesOf(cli.provider).hostTools).toBe("native");
  });
}

/** What the requests to the model say about the tools and their results. */
function expectTold(
  { resultBytes, tool, by }: BridgeRow,
  tools: readonly ToolDefinition[],
  requests: readonly ModelRequest[],
): void {
  const [first = "", second = "", third] = requests.map(({ body }) => JSON.stringify(body));
  const told = by === undefined ? [LONG_DESCRIPTION] : tools.map(({ name }) => tool(name));
  expect(told.filter((text) => !first.includes(text))).toEqual([]);
  expect(by?.besides.filter(([, text]) => !second.includes(text)) ?? []).toEqual([]);
  expect(second.includes("x".repeat(resultBytes))).toBe(true);
  expect(second).toContain("rain in Bergen");
  expect(third).toContain("There is no such city.");
  expect(requests[3]?.user.at(-1)).toContain("city");
}

/** The caller's functions beside the tools of an agent, where the CLI allows that, and an abort. */
export function describeBridgedAgent(row: BridgeRow): void {
  const { name, tool, hasAgents = true } = row;
  const call = (...inputs: readonly JsonObject[]): FakeAnswer => callsOf(row, ...inputs);

  it(`${hasAgents ? "an agent has host tools beside its own" : "only completions have host tools"}, and an abort ends a call`, async () => {
    const cli = await openRealCli(name, [call({ city: "Oslo" }), call({ city: "Bergen" })]);
    const abort = new AbortController();
    const signals: AbortSignal[] = [];
    const callTool = ({ args }: HostCall, { signal }: { readonly signal: AbortSignal }): unknown => {
      signals.push(signal);
      if (args["city"] === "Oslo") return "sunshine";
      abort.abort();
      return new Promise(() => {});
    };
    const context = { callTool, signal: abort.signal };
    const agent = { ...agentRequest(cli), tools: [WEATHER] };
    if (!hasAgents) expect((await cli.run(agent, { context })).failure).toMatchObject({ code: "options-conflict" });
    const request = hasAgents ? agent : { prompt: "Hi.", tools: [WEATHER] };
    const run = await cli.run(request, { target: hasAgents ? agentTargetOf(name) : cli.row.target, context });
    expect(run.end.finish).toBe("cancelled");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    const [first, second] = modelRequestsOf(cli);
    const offered = row.by?.offered ?? [tool("get_weather")];
    expect(first?.tools).toEqual(expect.arrayContaining([...offered]));
    expect((first?.tools.length ?? 0) > offered.length).toBe(hasAgents);
    expect(second?.user.at(-1)).toContain("sunshine");
  });
}

function summaryOf({ input, isError, output }: ToolEnd): string {
  return `${JSON.stringify(input)} ${isError} ${String(output).slice(0, 7)}`;
}
