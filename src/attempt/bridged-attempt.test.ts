import { describe, expect, it } from "vitest";
import type { Channel, TurnHandle } from "../process/channel/channel.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { cancelledEnd, type PartContext } from "../run/part.ts";
import { bindTools } from "../schemas/validate-schema.ts";
import type { JsonObject } from "../spec/json.ts";
import type { McpServer, PromptRequest } from "../spec/request.ts";
import type { HostQuestion, ToolAnswer } from "../spec/stream.ts";
import type { EventDraft, RunEnd } from "../spec/wire/events.ts";
import type { WireStep, WireTurn } from "../spec/wire/wire.ts";
import { bridged } from "./bridged-attempt.ts";
import type { TurnStep } from "./read-step.ts";

const LOOK = {
  name: "look",
  parameters: {
    type: "object",
    properties: { place: { type: "string" }, floor: { type: "number", default: 1 } },
    additionalProperties: false,
  },
} as const;
const STOP: RunEnd = { type: "run-end", finish: "stop" };
const DOOR: ToolAnswer = { text: "A door.", isError: false };
const callOf = (id: string, input: JsonObject = { place: "door" }): EventDraft => ({
  ...{ type: "tool-call", id, name: "host.look", input, executor: "cli" },
});
const endOf = (id: string, output = "<wrapped>A door.</wrapped>"): EventDraft => ({
  type: "tool-end",
  id,
  output,
  isError: false,
});

/** A turn on the bridge: what it reads and is answered goes through the wrapped turn, as in an attempt. */
type BridgedTurn = {
  readonly request: PromptRequest;
  readonly asked: readonly HostQuestion[];
  readonly read: (events: readonly EventDraft[], more?: Partial<WireStep>) => TurnStep;
  readonly answer: (id: string, answer: ToolAnswer) => void;
  readonly call: (args: JsonObject, id?: string) => Promise<unknown>;
  readonly callers: NonNullable<PartContext["bridge"]>["callers"];
};

/** Makes an attempt with a bridge, in which `act` plays the CLI. */
async function attemptWith(act: (turn: BridgedTurn) => Promise<RunEnd>, given: Partial<PromptRequest> = {}): Promise<RunEnd> {
  const writer = { flush: () => {} };
  const context = { writer, resultAt: () => ({ text: "shown" }) } as unknown as PartContext;
  const gone = Promise.withResolvers<void>();
  const run = bridged(
    async (_cli, request, { bridge }) => {
      if (bridge === undefined) throw new Error("The attempt got no bridge.");
      const asked: HostQuestion[] = [];
      let next: WireStep = { events: [] };
      const turn: WireTurn = { begin: () => next, step: () => next, interrupt: () => next, finish: () => next };
      const channel = { gone: gone.promise } as Channel;
      const held = bridge.hold({ turn } as TurnHandle, channel, (question) => void asked.push(question)).turn;
      const read: BridgedTurn["read"] = (events, more = {}) => {
        next = { events, ...more };
        return held.step(null);
      };
      const call: BridgedTurn["call"] = (args, id) => callLook(request, args, id);
      const answer = (id: string, result: ToolAnswer): void => void held.answer?.(id, result);
      try {
        return await act({ request, asked, read, call, answer, callers: bridge.callers });
      } finally {
        gone.resolve();
      }
    },
    {
      tools: [LOOK],
      checks: bindTools([LOOK]),
      env: { HTTP_PROXY: "http://proxy.example", NO_PROXY: "a.example" },
      rules: { names: /./, descriptionLength: 1000, resultBytes: 1000, canPark: false, addedArguments: ["wait"] },
      nameOf: (server, tool) => `${server}.${tool}`,
    },
  );
  const cli = { provider: { label: "A CLI", options: ["mcp-reports"] } } as unknown as ResolvedTarget;
  return await run(cli, { prompt: "", ...given }, context);
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

const asksFor = (turn: BridgedTurn, count: number): Promise<void> =>
  expect.poll(() => turn.asked.length, { interval: 2 }).toBe(count);

describe("an attempt with a bridge", () => {
  it("asks the turn for each call, and the end of the call gets the bridge's result and duration", async () => {
    await attemptWith(async (turn) => {
      const result = turn.call({ place: "door", wait: true });
      await asksFor(turn, 1);
      const id = turn.asked[0]?.requestId ?? "";
      expect(turn.asked).toEqual([
        { kind: "tool", requestId: id, call: { id, name: "look", args: { place: "door", floor: 1 } } },
      ]);
      turn.answer(id, DOOR);
      expect(await result).toMatchObject({ content: [{ text: "A door." }] });
      turn.read([callOf("7")]);
      expect(turn.read([endOf("7")]).events).toEqual([{ ...endOf("7", "A door."), durationMs: expect.any(Number) }]);
      return STOP;
    });
  });

  it("a call that the CLI has reported has its id; one that it reports later is told to run already", async () => {
    await attemptWith(async (turn) => {
      expect(turn.read([callOf("7")]).hostRuns).toBeUndefined();
      const results = [turn.call({ place: "door" }, "1")];
      await asksFor(turn, 1);
      expect(turn.asked[0]?.requestId).toBe("7");
      results.push(turn.call({ place: "door" }, "2"));
      await asksFor(turn, 2);
      expect(turn.read([callOf("8")]).hostRuns).toEqual(["8"]);
      for (const { requestId } of turn.asked) turn.answer(requestId, DOOR);
      expect(await Promise.all(results)).toHaveLength(2);
      return STOP;
    });
  });

  it("names the tools as the caller does, without the arguments that the CLI adds", async () => {
    await attemptWith(async ({ callers, request }) => {
      await listTools(request);
      expect([...callers.names]).toEqual([["host.look", "look"]]);
      expect(callers.inputOf?.("look", { place: "door", wait: true })).toEqual({ place: "door" });
      return STOP;
    });
  });

  it("a call that did not come by the bridge keeps what the CLI reports", async () => {
    await attemptWith(async (turn) => {
      const result = turn.call({ place: "hall" });
      await asksFor(turn, 1);
      turn.answer(turn.asked[0]?.requestId ?? "", DOOR);
      await result;
      turn.read([callOf("7"), { ...callOf("8"), name: "own_tool" } as EventDraft]);
      expect(turn.read([endOf("7"), endOf("8")]).events).toEqual([endOf("7"), endOf("8")]);
      return STOP;
    });
  });

  it("equal calls get their own results in their order", async () => {
    await attemptWith(async (turn) => {
      for (const [id, text] of [
        ["1", "one"],
        ["2", "two"],
      ] as const) {
        turn.read([callOf(id)]);
        const result = turn.call({ place: "door" }, id);
        await asksFor(turn, Number(id));
        turn.answer(id, { text, isError: false });
        await result;
      }
      expect(turn.read([endOf("1"), endOf("2")]).events).toMatchObject([{ output: "one" }, { output: "two" }]);
      return STOP;
    });
  });

  it("a message waits for results only of calls by the bridge that have none; a result may come before its call", async () => {
    await attemptWith(async (turn) => {
      await listTools(turn.request);
      const own = { ...callOf("8"), name: "own_tool" } as EventDraft;
      expect(turn.read([own], { awaitsResults: true }).awaitsResults).toBeUndefined();
      expect(turn.read([callOf("7")], { awaitsResults: true }).awaitsResults).toBe(true);
      turn.answer("7", DOOR);
      expect(turn.read([], { awaitsResults: true }).awaitsResults).toBeUndefined();
      expect(await turn.call({ place: "door" })).toMatchObject({ content: [{ text: "A door." }] });
      expect(turn.asked).toEqual([]);
      return STOP;
    });
  });

  it("a server of the caller keeps its name, and the CLI asks no proxy for the bridge", async () => {
    const own = { command: "own" };
    const end = await attemptWith(
      async ({ request }) => {
        const { mcpServers, hostServer } = request;
        await listTools(request);
        expect(request.env).toEqual({ OWN: "1", no_proxy: "a.example,127.0.0.1", NO_PROXY: "a.example,127.0.0.1" });
        expect(Object.keys(mcpServers ?? {})).toEqual(["host", "host2"]);
        expect(mcpServers?.["host"]).toBe(own);
        expect(mcpServers?.["host2"]?.required).toBe(true);
        expect(hostServer).toBe("host2");
        return STOP;
      },
      { mcpServers: { host: own }, env: { OWN: "1" } },
    );
    expect(end).toEqual(STOP);
  });

  it("fails if the CLI answers without having asked for the tools, and keeps another failure", async () => {
    const { failure } = await attemptWith(async () => STOP);
    expect(failure).toMatchObject({ code: "mcp-server-unavailable", partialText: "shown" });
    expect(failure?.message).toBe("A CLI did not ask the server of the host tools for its tools.");
    expect(await attemptWith(async () => cancelledEnd())).toEqual(cancelledEnd());
  });

  it.each([
    ["answers", async () => STOP],
    ["throws", () => Promise.reject(new Error("A broken provider."))],
  ])("the bridge of an attempt that %s is closed when its process has ended", async (_what, end) => {
    const given: PromptRequest[] = [];
    const act = async ({ request }: BridgedTurn): Promise<RunEnd> => {
      given.push(request);
      return await end();
    };
    await attemptWith(act).catch(() => {});
    const isClosed = () => callLook(given[0] ?? { prompt: "" }, {}).then(String, String);
    await expect.poll(isClosed).toContain("fetch failed");
  });
});
