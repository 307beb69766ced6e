import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import type { HostCall, NativeTool } from "../../spec/message.ts";
import { type Bridge, type BridgeOptions, openBridge } from "./open-bridge.ts";

const WEATHER: NativeTool = {
  name: "get_weather",
  callersName: "get weather",
  description: "Tells the weather.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", default: 1 } },
    required: ["city"],
  },
};

it("the official client lists the tools, and a call runs in the caller with the caller's name and the defaults", async () => {
  const made: HostCall[] = [];
  const { bridge, client } = await connect({
    tools: [WEATHER, { name: "plain" }],
    call: async (call) => {
      made.push(call);
      return { text: "Sunny.", isError: false };
    },
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["get_weather", "plain"]);
  expect(tools[0]).toMatchObject({ description: "Tells the weather.", inputSchema: WEATHER.parameters });
  expect(tools[1]?.inputSchema).toEqual({ type: "object" });
  expect(await bridge.ready).toBe(true);
  expect([...bridge.callersNames]).toEqual([
    ["get_weather", "get weather"],
    ["plain", "plain"],
  ]);
  const result = await client.callTool({ name: "get_weather", arguments: { city: "Oslo" } });
  expect(result).toMatchObject({ content: [{ type: "text", text: "Sunny." }], isError: false });
  expect(made).toEqual([{ id: "host-1", name: "get weather", args: { city: "Oslo", days: 1 } }]);
});

it.each([
  { what: "an unknown tool", call: { name: "none", arguments: {} }, text: /There is no tool "none"/ },
  {
    what: "wrong arguments",
    call: { name: "get_weather", arguments: { city: 1 } },
    text: /do not match its schema: \/city must be string/,
  },
  { what: "a thrown error", call: { name: "get_weather", arguments: { city: "thrown" } }, text: /^No network\.$/ },
  { what: "a reported error", call: { name: "get_weather", arguments: { city: "reported" } }, text: /^No such city\.$/ },
  {
    what: "a result that is too large",
    call: { name: "get_weather", arguments: { city: "large" } },
    text: /of get weather has 1001 bytes, and at most 1000 can/,
  },
])("$what is a tool error", async ({ call, text }) => {
  const { client } = await connect({
    maxResultBytes: 1000,
    call: async ({ args }) => {
      if (args["city"] === "thrown") throw new Error("No network.");
      if (args["city"] === "large") return { text: `${"é".repeat(500)}.`, isError: false };
      return { text: "No such city.", isError: true };
    },
  });
  expect(await client.callTool(call)).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(text) }] });
});

it("a schema that describes no object is refused before the bridge opens", async () => {
  const options = { call: vi.fn() };
  await expect(openBridge({ ...options, tools: [{ name: "list", parameters: { type: "array" } }] })).rejects.toThrow(TypeError);
});

it("a silent call shows signs of life", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve } = Promise.withResolvers<void>();
  const { bridge, client } = await connect({
    call: async () => {
      await promise;
      return { text: "Late.", isError: false };
    },
  });
  const progress: number[] = [];
  const noted = client.callTool(
    { name: "get_weather", arguments: { city: "Oslo" } },
    { onprogress: (sign) => progress.push(sign.progress) },
  );
  const plain = post(bridge, callOf(7, "Bergen"));
  const reader = (await plain).body?.pipeThrough(new TextDecoderStream()).getReader();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
  vi.advanceTimersByTime(10_000);
  expect((await reader?.read())?.value).toBe(": waiting\n\n");
  await vi.waitFor(() => expect(progress).toEqual([1]));
  resolve();
  expect(await noted).toMatchObject({ content: [{ text: "Late." }] });
  expect((await reader?.read())?.value).toMatch(/^event: message\ndata: .*Late\./);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});

it.each([
  { wanted: "2025-03-26", given: "2025-03-26" },
  { wanted: "2024-11-05", given: "2024-11-05" },
  { wanted: "2099-01-01", given: "2025-11-25" },
])("a client that asks for MCP $wanted gets $given", async ({ wanted, given }) => {
  const { bridge } = await open();
  const response = await post(bridge, { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: wanted } });
  expect(await response.json()).toMatchObject({ id: 0, result: { protocolVersion: given, capabilities: { tools: {} } } });
});

it("methods besides those of tools are unknown, and notifications are accepted", async () => {
  const { bridge } = await open();
  const unknown = await post(bridge, { jsonrpc: "2.0", id: "a", method: "resources/list" });
  expect(await unknown.json()).toMatchObject({ id: "a", error: { code: -32601 } });
  expect((await post(bridge, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
});

it("a bridge that is closed ends its calls and its connections, and opens no new ones", async () => {
  const { promise: signalled, resolve } = Promise.withResolvers<AbortSignal>();
  const { bridge, client } = await connect({
    call: (_, { signal }) => {
      resolve(signal);
      return new Promise(() => {});
    },
  });
  const open = client.callTool({ name: "get_weather", arguments: { city: "Oslo" } });
  const refused = expect(open).rejects.toThrow();
  const given = await signalled;
  const closed = bridge.close();
  expect(given.aborted).toBe(true);
  await client.close();
  await refused;
  await closed;
  await expect(fetch(bridge.server.url)).rejects.toThrow();
});

it("a bridge that is closed before the CLI asked for its tools was not ready", async () => {
  const { bridge } = await open();
  await Promise.all([bridge.close(), bridge.close()]);
  expect(await bridge.ready).toBe(false);
});

function callOf(id: number, city: string): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "get_weather", arguments: { city } } };
}

function post({ server }: Bridge, message: object): Promise<Response> {
  const headers = { ...server.headers, "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(server.url, { method: "POST", headers, body: JSON.stringify(message) });
}

async function open(options: Partial<BridgeOptions> = {}): Promise<{ readonly bridge: Bridge }> {
  const given = { tools: [WEATHER], call: vi.fn(), ...options };
  const bridge = await openBridge(given);
  onTestFinished(() => bridge.close());
  return { bridge };
}

async function connect(options: Partial<BridgeOptions>): Promise<{ readonly bridge: Bridge; readonly client: Client }> {
  const { bridge } = await open(options);
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { ...bridge.server.headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(bridge.server.url), { requestInit }));
  onTestFinished(() => client.close());
  return { bridge, client };
}

it("the model can be told about the tools by the names in the list", async () => {
  const call = async () => ({ text: "", isError: false });
  const { client } = await connect({ tools: [WEATHER], call, instructions: (names) => `Call ${names.join(", ")}.` });
  expect(client.getInstructions()).toBe("Call get_weather.");
});
