import { describe, expect, it } from "vitest";
import type { KnownTarget } from "../../request/targets.ts";
import { cancelledEnd } from "../../run/failed-end.ts";
import type { Attempt, PartContext } from "../../run/part.ts";
import { bindTools } from "../../schemas/validate-schema.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { McpServer, PromptRequest } from "../../spec/request.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import type { EventBody, RunEnd } from "../../spec/wire/events.ts";
import { bridged } from "./bridged-attempt.ts";

const LOOK = {
  name: "look",
  parameters: {
    type: "object",
    properties: { place: { type: "string" }, floor: { type: "number", default: 1 } },
    additionalProperties: false,
  },
} as const;
const STOP: RunEnd = { type: "run-end", finish: "stop" };
const CALL = { type: "tool-call", id: "1", name: "host.look", input: { place: "door" }, executor: "cli" } as const;
const END = { type: "tool-end", id: "1", name: "host.look", input: { place: "door" }, isError: false, durationMs: 0 } as const;

/** The attempts of a bridge, what they wrote, and what was called. */
function openBridged(attempt: Attempt, answer: () => Promise<ToolAnswer> = async () => ({ text: "A door.", isError: false })) {
  const written: EventBody[] = [];
  const steps: string[] = [];
  const trace = { hasActed: false };
  const sink = { write: (event: EventBody) => void written.push(event), writeText: () => {} };
  const writer = { trace, flush: () => {} };
  const resultAt = () => ({ text: "shown" });
  const context = { signal: new AbortController().signal, writer, sink, resultAt } as unknown as PartContext;
  const run = bridged(attempt, {
    tools: [LOOK],
    checks: bindTools([LOOK]),
    env: { HTTP_PROXY: "http://proxy.example", NO_PROXY: "a.example" },
    rules: { names: /./, descriptionLength: 1000, resultBytes: 1000, canPark: false, addedArguments: ["wait"] },
    nameOf: (server, tool) => `${server}.${tool}`,
    answerCall: ({ name, args }) => {
      steps.push(`${name} ${JSON.stringify(args)}`);
      return answer();
    },
  });
  const cli = { provider: { label: "A CLI", options: ["mcp-reports"] } } as unknown as KnownTarget;
  const ask = (prompt: Partial<PromptRequest> = {}) => run(cli, { prompt: "", ...prompt }, context);
  return { ask, written, steps, trace };
}

/** Sends a message to the bridge as a CLI does. */
async function post({ mcpServers = {}, hostServer = "" }: PromptRequest, message: JsonObject): Promise<string> {
  const { url, headers } = mcpServers[hostServer] as Extract<McpServer, { readonly url: string }>;
  const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return await (await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body })).text();
}

/** Asks for the tools and calls `look`; returns the result. */
async function callLook(request: PromptRequest, args: JsonObject, id = "1"): Promise<unknown> {
  await listTools(request);
  const answer = await post(request, { id, method: "tools/call", params: { name: "look", arguments: args } });
  return JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? "{}").result;
}

async function listTools(request: PromptRequest): Promise<void> {
  await post(request, { id: "list", method: "tools/list" });
}

describe("an attempt with a bridge", () => {
  it("gives the CLI a server, and the events of its calls have the caller's names and the bridge's results", async () => {
    const other = { name: "own_tool", input: null };
    const { ask, written, steps, trace } = openBridged(async (_cli, request, { sink }) => {
      expect(await callLook(request, { place: "door" })).toMatchObject({ content: [{ text: "A door." }] });
      sink?.write({ type: "session-start", sessionId: "s", tools: ["host.look", "own_tool"] });
      sink?.write({ type: "tool-start", id: "1", name: "host.look" });
      sink?.write(CALL);
      sink?.write({ ...END, output: "<wrapped>A door.</wrapped>" });
      sink?.write({ ...END, ...other, output: "mine" });
      return STOP;
    });
    expect(await ask()).toEqual(STOP);
    expect(steps).toEqual(['look {"place":"door","floor":1}']);
    expect(trace.hasActed).toBe(true);
    expect(written).toMatchObject([
      { type: "session-start", tools: ["look", "own_tool"] },
      { type: "tool-start", name: "look" },
      { type: "tool-call", name: "look", input: { place: "door" }, executor: "host" },
      { type: "tool-end", name: "look", output: "A door.", isError: false },
      { type: "tool-end", name: "own_tool", output: "mine" },
    ]);
  });

  it("a call that did not come by the bridge keeps what the CLI reports", async () => {
    const { ask, written } = openBridged(async (_cli, request, { sink }) => {
      await callLook(request, { place: "hall" });
      sink?.write({ ...END, output: "Invalid parameters.", isError: true });
      return STOP;
    });
    await ask();
    expect(written).toEqual([{ ...END, name: "look", output: "Invalid parameters.", isError: true }]);
  });

  it("equal calls get their own results in their order", async () => {
    const answers = [
      { text: "1", isError: false },
      { text: "2", isError: true },
    ];
    const answer = async () => answers.shift() ?? { text: "too many", isError: false };
    const { ask, written } = openBridged(async (_cli, request, { sink }) => {
      for (const id of ["1", "2"]) {
        await callLook(request, { place: "door" }, id);
        sink?.write({ ...END, id, output: null });
      }
      return STOP;
    }, answer);
    await ask();
    expect(written).toMatchObject([
      { id: "1", output: "1", isError: false },
      { id: "2", output: "2", isError: true },
    ]);
  });

  it("an argument that the CLI adds to every tool reaches neither the caller nor the events", async () => {
    const input = { place: "door", wait: true };
    const { ask, written, steps } = openBridged(async (_cli, request, { sink }) => {
      await callLook(request, input);
      sink?.write({ ...CALL, input });
      sink?.write({ ...END, input, output: null });
      return STOP;
    });
    await ask();
    expect(steps).toEqual(['look {"place":"door","floor":1}']);
    expect(written).toMatchObject([{ input: { place: "door" } }, { input: { place: "door" }, output: "A door." }]);
    expect(JSON.stringify(written)).not.toContain("wait");
  });

  it("a server of the caller keeps its name, and the CLI asks no proxy for the bridge", async () => {
    const own = { command: "own" };
    const { ask } = openBridged(async (_cli, request) => {
      const { mcpServers, hostServer } = request;
      await listTools(request);
      expect(request.env).toEqual({ OWN: "1", no_proxy: "a.example,127.0.0.1", NO_PROXY: "a.example,127.0.0.1" });
      expect(Object.keys(mcpServers ?? {})).toEqual(["host", "host2"]);
      expect(mcpServers?.["host"]).toBe(own);
      expect(mcpServers?.["host2"]?.required).toBe(true);
      expect(hostServer).toBe("host2");
      return STOP;
    });
    expect(await ask({ mcpServers: { host: own }, env: { OWN: "1" } })).toEqual(STOP);
  });

  it("fails if the CLI answers without having asked for the tools, and keeps another failure", async () => {
    const { failure } = await openBridged(async () => STOP).ask();
    expect(failure).toMatchObject({ code: "mcp-server-unavailable", partialText: "shown" });
    expect(failure?.message).toBe("A CLI did not ask the server of the host tools for its tools.");
    expect(await openBridged(async () => cancelledEnd()).ask()).toEqual(cancelledEnd());
  });

  it("the clocks of the turn stop while a function runs", async () => {
    const seen: string[] = [];
    const { ask } = openBridged(
      async (_cli, request, { watchCalls }) => {
        watchCalls?.({ sawQuestion: () => seen.push("stopped"), sawAnswer: () => seen.push("started") });
        await callLook(request, { place: "door" });
        return STOP;
      },
      async () => {
        seen.push("ran");
        return { text: "", isError: false };
      },
    );
    await ask();
    expect(seen).toEqual(["stopped", "ran", "started"]);
  });

  it.each([
    ["answers", async () => STOP],
    ["throws", () => Promise.reject(new Error("A broken provider."))],
  ])("the bridge of an attempt that %s is closed", async (_what, end) => {
    const given: PromptRequest[] = [];
    const { ask } = openBridged(async (_cli, request) => {
      given.push(request);
      return await end();
    });
    await ask().catch(() => {});
    await expect(callLook(given[0] ?? { prompt: "" }, {})).rejects.toThrow("fetch failed");
  });
});
