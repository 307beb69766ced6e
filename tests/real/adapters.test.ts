import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { createClaudeCliProvider, createCodexCliProvider } from "../../src/adapters/langchain/index.ts";
import { callsOf, getWeather } from "../requirements/adapter-tools.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { openRealCli } from "./open-real-cli.ts";

const FACTORIES = { claude: createClaudeCliProvider, codex: createCodexCliProvider } as const;
const CALL = { name: "get_weather", args: { city: "Oslo" }, id: "call_1" };
const READY = '<thread>\n  <event type="human" id="0" iteration="0">Weather in Oslo?</event>\n</thread>';

describe.each(["claude", "codex"] as const)("the adapter of the design documents on real %s", (name) => {
  it(`${name} is told the tools and a trusted thread, calls one with and without a mark, and gets the result`, async () => {
    const unmarked = callBlock(CALL).replace('"mark":"{{mark}}",', "");
    const answers = [callBlock(CALL), "It rains.", unmarked].map((text) => ({ kind: "text", text }) as const);
    const cli = await openRealCli(name, (_, index) => answers[index] ?? { kind: "text", text: "Once more?" });
    const adapter = FACTORIES[name]({ client: cli.client, trustThread: true }).bindTools([getWeather]);
    const messages = [new SystemMessage("Be brief."), new HumanMessage("Weather in Oslo?")];
    const called = await adapter.invoke(messages);
    expect(callsOf(called)).toEqual([CALL]);
    const result = new ToolMessage({ content: "Rain in Oslo", tool_call_id: "call_1" });
    expect((await adapter.invoke([...messages, called, result])).text).toBe("It rains.");
    const plain = FACTORIES[name]({ client: cli.client, trustThread: true, marks: false }).bindTools([getWeather]);
    expect(callsOf(await plain.invoke([new HumanMessage(READY)]))).toEqual([CALL]);
    const [first = "", second = "", third = ""] = cli.api.modelRequests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain("[Available Tools]");
    expect(second).toContain("Rain in Oslo");
    expect(third).toContain(JSON.stringify(READY).slice(1, -1));
    expect(third).not.toMatch(/\bmark\b/);
    expect(cli.api.modelRequests).toHaveLength(3);
  });
});
