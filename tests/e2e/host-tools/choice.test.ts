import { describe, expect, it } from "vitest";
import type { ToolChoice } from "../../../src/spec/message.ts";
import { CLOCK, callBlock, OSLO, unmarked, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers } from "../../support/clis/plays.ts";
import { expectCalls } from "../../support/runs/host-calls.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

const tools = [WEATHER, CLOCK];
const messages = [{ role: "user", text: "What is the weather in Oslo?" }] as const;
const TIME = callBlock({ name: "now", id: "call_1" });

describe("tool choice auto", () => {
  it.each<[string, ToolChoice | undefined]>([
    ["given", "auto"],
    ["by default", undefined],
  ])("an answer may call or not, %s", async (_how, toolChoice) => {
    const choice = toolChoice === undefined ? {} : { toolChoice };
    const calling = await openCli([answers(OSLO)]).finish({ messages, tools, ...choice });
    await expectCalls(calling);
    await expectAnswer(await openCli([answers("It is cold.")]).finish({ messages, tools, ...choice }), "It is cold.");
  });
});

describe("tool choice none", () => {
  it("an envelope is text: it is shown, it is the answer, and nothing is corrected", async () => {
    const cli = openCli([answers(`I would do this:\n\n${unmarked(OSLO)}`)]);
    const run = await cli.finish({ messages, tools, toolChoice: "none" });
    await expectAnswer(run, `I would do this:\n\n${unmarked(OSLO)}`);
    expect((await run.stream.result()).hostCalls ?? []).toEqual([]);
    expect(eventsOf(run.events, "tool-call")).toEqual([]);
    expect(cli.starts()).toBe(1);
  });

  it("a call that cannot be read is text too", async () => {
    const text = '{"tool_calls":[{"name":"nobody"';
    await expectAnswer(await openCli([answers(text)]).finish({ messages, tools, toolChoice: "none" }), text);
  });

  it("the tools are described, and the instruction is another one", () => {
    const [none, auto] = [promptFor("none"), promptFor("auto")];
    expect(none.startsWith("[Available Tools]\n")).toBe(true);
    for (const { name } of tools) expect(none).toContain(`"name": "${name}"`);
    expect(none).not.toBe(auto);
    expect(none).toMatch(/do not call|never call|no tool may/i);
    expect(auto).not.toMatch(/do not call|never call|no tool may/i);
  });
});

describe("tool choice required", () => {
  it("an answer without a call is corrected", async () => {
    const cli = openCli([answers("It is cold."), answers(TIME)]);
    const result = await expectCalls(await cli.finish({ messages, tools, toolChoice: "required" }));
    expect(result.hostCalls).toMatchObject([{ name: "now", args: {} }]);
    expect(result.warnings).toMatchObject([{ code: "tool-call-corrected" }]);
  });

  it("two answers without a call fail", async () => {
    const cli = openCli([answers("It is cold."), answers("It is really cold.")]);
    const run = await cli.finish({ messages, tools, toolChoice: "required" });
    const failure = await expectFailure(run, "invalid_response", "tool-call-unreadable");
    expect(failure.partialText).toBe("It is really cold.");
    expect(cli.starts()).toBe(2);
  });

  it("a call of any tool is accepted", async () => {
    const run = await openCli([answers(TIME)]).finish({ messages, tools, toolChoice: "required" });
    expect((await expectCalls(run)).warnings).toEqual([]);
  });

  it("the prompt demands a call", () => {
    expect(promptFor("required")).toMatch(/must call/i);
    expect(promptFor("auto")).not.toMatch(/must call/i);
  });
});

describe("tool choice by name", () => {
  const toolChoice = { name: "get_weather" } as const;

  it("a call of that tool is accepted", async () => {
    const run = await openCli([answers(OSLO)]).finish({ messages, tools, toolChoice });
    expect((await expectCalls(run)).warnings).toEqual([]);
  });

  it.each([
    ["without a call", "It is cold."],
    ["with a call of another tool", TIME],
    ["with a call of another tool beside it", `${OSLO}\n\n${TIME}`],
  ])("an answer %s is corrected", async (_what, text) => {
    const cli = openCli([answers(text), answers(OSLO)]);
    const result = await expectCalls(await cli.finish({ messages, tools, toolChoice }));
    expect(result.hostCalls).toMatchObject([{ name: "get_weather" }]);
    expect(result.warnings).toMatchObject([{ code: "tool-call-corrected" }]);
  });

  it("two answers with a call of another tool fail, and nothing is called", async () => {
    const run = await openCli([answers(TIME), answers(TIME)]).finish({ messages, tools, toolChoice });
    await expectFailure(run, "invalid_response", "tool-call-unreadable");
    expect(eventsOf(run.events, "tool-call")).toEqual([]);
  });

  it("the prompt names the tool", () => {
    const auto = promptFor("auto").split("\n");
    const added = promptFor(toolChoice)
      .split("\n")
      .filter((line) => !auto.includes(line));
    expect(added.join("\n")).toContain("get_weather");
    expect(added.join("\n")).not.toContain("now");
  });
});

/** The prompt that would be sent. */
function promptFor(toolChoice: ToolChoice): string {
  const planned = openCli([]).client.plan("plain", { messages, tools, toolChoice });
  if ("failure" in planned) throw new Error(planned.failure.message);
  return planned.plan.stdin.text;
}
