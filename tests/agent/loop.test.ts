import { setTimeout as delay } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { agentTool, createAgent } from "../../src/agent/index.ts";
import { resultsIn, ScriptedModel } from "./scripted-model.ts";

const double = agentTool({
  name: "double",
  parameters: z.object({ number: z.number() }),
  run: ({ number }) => number * 2,
});

/** An answer of which the model reported so many tokens. */
function withTokens(fields: ConstructorParameters<typeof AIMessage>[0] & object, tokens: number): AIMessage {
  const usage_metadata = { input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
  return new AIMessage(Object.assign(fields, { usage_metadata }));
}

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

describe("what ends a run", () => {
  const again = new ScriptedModel([{ name: "double", args: { number: 1 } }]);

  it("the limit of steps, and the thread can go on from there", async () => {
    const model = new ScriptedModel(
      [{ name: "double", args: { number: 1 } }],
      [{ name: "double", args: { number: 2 } }],
      "Done.",
    );
    const agent = createAgent({ model, tools: [double], maxSteps: 2 });
    const { failure, thread } = await agent.ask("Go").outcome();
    expect(failure?.code).toBe("turn-limit");
    expect((await agent.resume(thread).result()).text).toBe("Done.");
  });

  it("a budget of tokens", async () => {
    const call = { name: "double", args: { number: 1 }, id: "one", type: "tool_call" } as const;
    const costly = new ScriptedModel(withTokens({ content: "", tool_calls: [call] }, 61));
    const { failure, usage } = await createAgent({ model: costly, tools: [double], budget: { tokens: 100 } })
      .ask("Go")
      .outcome();
    expect({ code: failure?.code, tokens: usage?.totalTokens }).toEqual({ code: "budget-spent", tokens: 122 });
  });

  it("a budget of time, also while a tool runs", async () => {
    const model = new ScriptedModel([{ name: "wait" }]);
    const tools = [{ name: "wait", run: () => new Promise(() => undefined) }];
    const { failure, toolCalls } = await createAgent({ model, tools, budget: { wallMs: 50 } })
      .ask("Go")
      .outcome();
    expect(failure?.code).toBe("budget-spent");
    expect(toolCalls).toMatchObject([{ name: "wait", isError: true, output: "Error: The call was cancelled." }]);
  });

  it("a final answer that is over the budget is still an answer", async () => {
    const model = new ScriptedModel(withTokens({ content: "Long." }, 601));
    expect(
      (
        await createAgent({ model, budget: { tokens: 100 } })
          .ask("Go")
          .result()
      ).text,
    ).toBe("Long.");
  });

  it("a budget in USD with a model that reports no cost gives a warning", async () => {
    const { warnings } = await createAgent({ model: new ScriptedModel("Hi"), budget: { usd: 1 } })
      .ask("Go")
      .result();
    expect(warnings).toMatchObject([{ code: "cost-unknown" }]);
  });

  it("the caller's own condition", async () => {
    const seen: number[] = [];
    const stopWhen = ({ steps }: { readonly steps: number }): boolean => {
      seen.push(steps);
      return steps === 3;
    };
    const { finish, toolCalls } = await createAgent({ model: again, tools: [double], stopWhen })
      .ask("Go")
      .result();
    expect({ finish, calls: toolCalls.length, seen }).toEqual({ finish: "stop", calls: 3, seen: [1, 2, 3] });
  });

  it("three steps in a row whose calls all failed, but not three failures between successes", async () => {
    const tools = [double, { name: "break", run: () => Promise.reject(new Error("It broke.")) }];
    const both = [{ name: "break" }, { name: "double", args: { number: 1 } }];
    const mixed = new ScriptedModel([{ name: "break" }], [{ name: "break" }], both, [{ name: "break" }], "Done.");
    expect((await createAgent({ model: mixed, tools }).ask("Go").result()).text).toBe("Done.");
    const broken = new ScriptedModel([{ name: "break" }, { name: "break", id: "two" }]);
    const { failure, toolCalls, thread } = await createAgent({ model: broken, tools }).ask("Go").outcome();
    expect(failure).toMatchObject({ code: "tools-failing", message: expect.stringContaining("It broke.") });
    expect(toolCalls).toHaveLength(6);
    const { failure: again, toolCalls: more } = await createAgent({ model: broken, tools }).resume(thread).outcome();
    expect({ code: again?.code, calls: more.length }).toEqual({ code: "tools-failing", calls: 6 });
  });

  it("a failure of the model, with what the thread has so far", async () => {
    const model = new ScriptedModel([{ name: "double", args: { number: 1 } }], () =>
      Promise.reject(new Error("429 Too Many Requests")),
    );
    const { failure, thread } = await createAgent({ model, tools: [double] })
      .ask("Go")
      .outcome();
    expect(failure?.category).toBe("rate_limit");
    expect(thread.map(({ type }) => type)).toEqual(["message", "answer", "result"]);
  });

  it("a signal that aborts: tools and the model stop, and the stream ends without an exception", async () => {
    const stopping = new AbortController();
    let isStopped = false;
    const run = (_: never, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
      signal.addEventListener("abort", () => {
        isStopped = true;
      });
      setTimeout(() => stopping.abort(), 10);
      return new Promise(() => undefined);
    };
    const agent = createAgent({ model: new ScriptedModel([{ name: "wait" }]), tools: [{ name: "wait", run }] });
    const types: string[] = [];
    for await (const event of agent.ask("Go", { signal: stopping.signal })) types.push(event.type);
    expect(isStopped).toBe(true);
    expect(types.at(-1)).toBe("run-end");
    expect((await agent.ask("Go", { signal: stopping.signal }).outcome()).finish).toBe("cancelled");
  });

  it("the time limit of a tool ends its call, not the run", async () => {
    const wait = { name: "wait", run: () => new Promise(() => undefined), timeoutMs: 20 };
    const model = new ScriptedModel([{ name: "wait" }], "Too slow.");
    const { text } = await createAgent({ model, tools: [wait] })
      .ask("Go")
      .result();
    expect(text).toBe("Too slow.");
    expect(resultsIn(model.asked[1])).toEqual(["wait: Error: The call took longer than 20 ms."]);
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
