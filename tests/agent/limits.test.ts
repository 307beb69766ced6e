import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agent/index.ts";
import { double } from "../support/agents/double.ts";
import { resultsIn, ScriptedModel } from "../support/agents/scripted-model.ts";

/** An answer of which the model reported so many tokens. */
function withTokens(fields: ConstructorParameters<typeof AIMessage>[0] & object, tokens: number): AIMessage {
  const usage_metadata = { input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
  return new AIMessage(Object.assign(fields, { usage_metadata }));
}

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
    const { failure, toolCalls } = await createAgent({ model, tools, budget: { wallMs: 2000 } })
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
