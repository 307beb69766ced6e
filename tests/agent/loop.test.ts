import { setTimeout as delay } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { agentTool, createAgent } from "../../src/agent/index.ts";
import { double } from "../support/agents/double.ts";
import { resultsIn, ScriptedModel } from "../support/agents/scripted-model.ts";

describe("the steps of an agent", () => {
  it("runs the tool that the model calls and gives the model its result", async () => {
    const model = new ScriptedModel([{ name: "double", args: { number: 21 } }], "It is 42.");
    const { text, toolCalls, finish, thread } = await createAgent({ model, tools: [double] })
      .ask("Twice 21?")
      .result();
    expect({ text, finish }).toEqual({ text: "It is 42.", finish: "stop" });
    expect(toolCalls).toMatchObject([{ id: "double", name: "double", input: { number: 21 }, output: "42", isError: false }]);
    expect(resultsIn(model.asked[1])).toEqual(["double: 42"]);
    expect(thread.map(({ type, step }) => `${step} ${type}`)).toEqual(["0 message", "1 answer", "1 result", "2 answer"]);
  });

  it("gives the instructions to the model in front of every conversation, and keeps them out of the thread", async () => {
    const model = new ScriptedModel([{ name: "double", args: { number: 1 } }], "2");
    const { thread } = await createAgent({ model, tools: [double], instructions: "Be brief." })
      .ask("Twice 1?")
      .result();
    expect(model.asked.map(([first]) => `${first?.type}: ${first?.text}`)).toEqual(["system: Be brief.", "system: Be brief."]);
    expect(JSON.stringify(thread)).not.toContain("Be brief.");
  });

  it("dates what an answer used by its end", async () => {
    const counts = { usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
    const called = new AIMessage({ content: "", tool_calls: [{ name: "double", args: { number: 1 }, id: "1" }] });
    const model = new ScriptedModel(async () => {
      await delay(60);
      return Object.assign(called, counts);
    }, "2");
    const { events = [] } = await createAgent({ model, tools: [double] })
      .ask("Twice 1?", { keepEvents: true })
      .result();
    expect(events.find(({ type }) => type === "usage")?.atMs).toBeGreaterThanOrEqual(50);
  });

  it("runs calls of one step at the same time", async () => {
    let running = 0;
    let most = 0;
    const run = async (): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      await delay(20);
      running -= 1;
      return "done";
    };
    const names = Array.from({ length: 12 }, (_, index) => `tool${index}`);
    const warnings: unknown[] = [];
    const listen = (warning: Error): unknown => warnings.push(warning.name);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const model = new ScriptedModel(
      names.map((name) => ({ name })),
      "All done.",
    );
    await createAgent({ model, tools: names.map((name) => ({ name, run })) })
      .ask("Go")
      .result();
    expect({ most, warnings }).toEqual({ most: 12, warnings: [] });
  });

  it("takes tools of LangChain, with their schema and their own message", async () => {
    const weather = tool(({ city }) => `Rain in ${city}`, {
      name: "weather",
      description: "",
      schema: z.object({ city: z.string() }),
    });
    const model = new ScriptedModel([{ name: "weather", args: { city: "Oslo" } }], [{ name: "weather", args: {} }], "Rain.");
    await createAgent({ model, tools: [weather] })
      .ask("Weather?")
      .result();
    expect(resultsIn(model.asked[2])[0]).toBe("weather: Rain in Oslo");
    expect(resultsIn(model.asked[2])[1]).toMatch(/^weather: Error: The arguments are wrong: .*city/);
  });

  it("says which tool of LangChain has a schema that no model can be given", async () => {
    const when = tool(async () => "", { name: "when", schema: z.object({ at: z.date() }) });
    const { failure } = await createAgent({ model: new ScriptedModel("Now."), tools: [when] })
      .ask("When?")
      .outcome();
    expect(failure).toMatchObject({
      code: "schema-unreadable",
      message: "The schema of the tool when cannot be used: Date cannot be represented in JSON Schema",
    });
  });

  it("gives a function the output of its schema, and the model the problems of its arguments", async () => {
    const given: unknown[] = [];
    const when = agentTool({
      name: "when",
      parameters: z.object({ hours: z.number().transform((hours) => hours * 3600) }),
      run: (args) => {
        given.push(args);
      },
    });
    const model = new ScriptedModel([{ name: "when", args: { hours: 2 } }], [{ name: "when", args: { hours: "2" } }], "Fine.");
    await createAgent({ model, tools: [when] })
      .ask("When?")
      .result();
    expect(given).toEqual([{ hours: 7200 }]);
    expect(resultsIn(model.asked[2])[1]).toMatch(/^when: Error: The arguments are wrong: .*hours/);
  });

  it("answers a call of an unknown tool, and one that cannot be read, with an error for the model", async () => {
    const unreadable = new AIMessage({
      content: "",
      invalid_tool_calls: [{ name: "double", args: "{num", id: "bad", error: "No JSON.", type: "invalid_tool_call" }],
    });
    const model = new ScriptedModel([{ name: "triple" }], unreadable, "Sorry.");
    await createAgent({ model, tools: [double] })
      .ask("Go")
      .result();
    expect(resultsIn(model.asked[2])).toEqual([
      'triple: Error: There is no tool "triple". The tools are: double.',
      "double: Error: No JSON.",
    ]);
  });

  it("gives ids to calls that have none", async () => {
    const call = { name: "double", args: { number: 1 }, type: "tool_call" } as const;
    const model = new ScriptedModel(new AIMessage({ content: "", tool_calls: [call, call] }), "2");
    const { toolCalls } = await createAgent({ model, tools: [double] })
      .ask("Go")
      .result();
    expect(toolCalls.map(({ id }) => id)).toEqual(["call_1_1", "call_1_2"]);
  });

  it("sends an XML thread in one message with contextMode xml", async () => {
    const model = new ScriptedModel([{ name: "double", args: { number: 2 } }], "4");
    await createAgent({ model, tools: [double], contextMode: "xml", instructions: "Be brief." })
      .ask("Is 2 < 3?")
      .result();
    const [system, thread, ...others] = model.asked[1] ?? [];
    expect(others).toEqual([]);
    expect(system?.text).toMatch(/^Be brief\.\n\n.*XML/s);
    expect(thread?.text).toContain('<event type="human" id="0" iteration="0">Is 2 &lt; 3?</event>');
    expect(thread?.text).toContain('type="tool_output" id="2" iteration="0" name="double" call_id="double" status="success">4<');
  });
});

describe("wrong options", () => {
  it.each([
    ["no model", {}],
    ["a number as the model", { model: 5 }],
    ["an unknown option", { model: "cli:claude", tempreature: 1 }],
    ["an unknown approval", { model: "cli:claude", approval: "maybe" }],
    ["no steps", { model: "cli:claude", maxSteps: 0 }],
    ["two tools with one name", { model: "cli:claude", tools: [double, double] }],
    [
      "a schema that is none",
      { model: "cli:claude", tools: [{ name: "a", parameters: { type: "object", properties: { b: 5 } } }] },
    ],
  ])("%s throws a TypeError at once", (_, options) => {
    expect(() => createAgent(options as never)).toThrow(TypeError);
  });
});
