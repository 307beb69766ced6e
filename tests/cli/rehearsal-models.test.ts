import { describe, expect, onTestFinished, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { rehearsal } from "../../src/clis/rehearsal/provider.ts";
import { type Client, createClient } from "../../src/index.ts";
import type { HostCall } from "../../src/spec/message.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { openTestScope } from "../support/test-scope.ts";

const TOOLS = [
  { name: "depth", parameters: { type: "object", properties: { unit: { enum: ["m"] } }, required: ["unit"] } },
  { name: "tide", parameters: { type: "object", properties: {} } },
  { name: "wind", parameters: { type: "object", properties: { knots: { type: "boolean" } }, required: ["knots"] } },
] as const;

function open(nativeTools?: typeof claude.transports.spawn.nativeTools): Client {
  const spawn = { ...rehearsal.transports.spawn, ...(nativeTools !== undefined && { nativeTools }) };
  const providers = [{ ...rehearsal, transports: { spawn } }];
  const client = createClient({ policies: false, env: openTestScope().env, providers });
  onTestFinished(() => client.close());
  return client;
}

function textsOf(events: readonly RunEvent[] | undefined, type: "text-delta" | "reasoning-delta"): readonly string[] {
  return (events ?? []).flatMap((event) => (event.type === type ? [event.text] : []));
}

describe("the models of the rehearsal CLI", () => {
  test("reasoning streams a thought in pieces before the answer, and counts both", async () => {
    const result = await open().run("rehearsal/reasoning", { prompt: "hi" }, { keepEvents: true }).result();
    const types = (result.events ?? []).map(({ type }) => type);
    const thought = textsOf(result.events, "reasoning-delta");
    expect(thought.length).toBeGreaterThan(5);
    expect(thought.join("")).toMatch(/^The user wants an answer\. .* say what I am\.$/);
    expect(types.lastIndexOf("reasoning-delta")).toBeLessThan(types.indexOf("text-delta"));
    expect(result.text).toContain("You asked: “hi”.");
    expect(result.usage?.outputTokens).toBe(Math.ceil((thought.join("").length + result.text.length) / 4));
  });

  test("burst streams the numbers from 1 to 10,000 in as many pieces", async () => {
    const result = await open().run("rehearsal/burst", { prompt: "hi" }, { keepEvents: true }).result();
    const pieces = textsOf(result.events, "text-delta");
    expect(pieces).toEqual(Array.from({ length: 10_000 }, (_, index) => `${index + 1} `));
    expect(result.text).toBe(pieces.join(""));
  });

  test("burst can be cancelled in the middle", async () => {
    const run = open().run("rehearsal/burst", { prompt: "hi" });
    for await (const event of run) if (event.type === "text-delta") run.interrupt();
    expect(await run.outcome()).toMatchObject({ finish: "cancelled", failure: { category: "cancelled" } });
  });

  test("tools calls two own tools at once; the second is ready first and fails", async () => {
    const result = await open().run("rehearsal/tools", { prompt: "hi", mode: "agent" }, { keepEvents: true }).result();
    const ofTools = (result.events ?? []).filter(({ type }) => type === "tool-call" || type === "tool-end");
    expect(ofTools).toMatchObject([
      { type: "tool-call", name: "Clock", input: { zone: "UTC" }, executor: "cli" },
      { type: "tool-call", name: "Barometer", input: { place: { deck: 2 }, units: ["hPa", "mmHg"] }, executor: "cli" },
      { type: "tool-end", name: "Barometer", isError: true, output: "The barometer is broken." },
      { type: "tool-end", name: "Clock", isError: false },
    ]);
    expect(result.text).toMatch(/^It is \d\d:\d\d UTC\. The barometer is broken\.$/);
  });

  test("tools says which tool it was not allowed to use, and has none in completion mode", async () => {
    const client = open();
    const permissions = { deny: ["Clock"] };
    const denied = await client.run("rehearsal/tools", { prompt: "hi", mode: "agent", permissions }).result();
    expect(denied.text).toBe("I was not allowed to use Clock. The barometer is broken.");
    expect(denied.permissionDenials).toMatchObject([{ name: "Clock" }]);
    const pure = await client.run("rehearsal/tools", { prompt: "hi" }).result();
    expect(pure).toMatchObject({ text: expect.stringContaining("I have no tools"), toolCalls: [] });
  });

  test.each([
    { way: "by text", native: undefined },
    { way: "natively", native: claude.transports.spawn.nativeTools },
  ])("tool-caller-all calls every host tool in one answer and repeats all results, $way", async ({ native }) => {
    const calls: HostCall[] = [];
    const callTool = (call: HostCall): string => {
      calls.push(call);
      return `${call.name} is fine`;
    };
    const hostTools = native === undefined ? "text" : "native";
    const run = open(native).run("rehearsal/tool-caller-all", { prompt: "Look.", tools: TOOLS, hostTools }, { callTool });
    expect((await run.result()).text).toBe("The tools said: depth is fine; tide is fine; wind is fine");
    expect(calls.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: "depth", args: { unit: "m" } },
      { name: "tide", args: {} },
      { name: "wind", args: { knots: true } },
    ]);
  });

  test("tool-caller-all ends the run with all calls if the caller makes them", async () => {
    const result = await open().run("rehearsal/tool-caller-all", { prompt: "Look.", tools: TOOLS }).result();
    expect(result).toMatchObject({ finish: "tool-calls" });
    expect(result.hostCalls?.map(({ name }) => name)).toEqual(["depth", "tide", "wind"]);
  });
});
