import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/index.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { readThread } from "../support/runs/read-thread.ts";
import { CALLS, callsOf, createExampleTools } from "./chat-model-suite/example-tools.ts";
import { type ModelAnswer, QUESTION } from "./chat-model-suite/subject.ts";
import { scriptedSubject } from "./program-subject.ts";

const UNKNOWN = { name: "get_whether", args: { city: "Oslo" } };
const WRONG = { name: "get_weather", args: { city: 7 } };
const said = (...calls: readonly { readonly name: string; readonly args: object }[]): ModelAnswer => ({
  kind: "text",
  text: callBlock(...(calls as (typeof UNKNOWN)[])),
});

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const failed = await call.catch((error: unknown) => error);
  return RunError.is(failed) ? failed.failure : failed;
}

describe("calls that are still invalid after their correction", () => {
  it.each([
    ["an unknown tool", UNKNOWN, "There is no tool"],
    ["wrong arguments", WRONG, "do not match its schema"],
  ])("a call with %s is an invalid tool call, from invoke and from stream", async (_what, call, problem) => {
    const { model, told } = await scriptedSubject.open([said(call)]);
    const bound = model.bindTools([createExampleTools().weather]);
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await bound.stream(QUESTION)) chunks.push(chunk);
    for (const message of [await bound.invoke(QUESTION), chunks.reduce((whole, chunk) => whole.concat(chunk))]) {
      expect(message.tool_calls).toEqual([]);
      expect(message.invalid_tool_calls).toEqual([
        {
          type: "invalid_tool_call",
          id: expect.stringMatching(/\S/),
          name: call.name,
          args: JSON.stringify(call.args),
          error: expect.stringContaining(problem),
        },
      ]);
      expect(message.response_metadata).toMatchObject({ finish_reason: "tool_calls" });
    }
    expect(told()).toHaveLength(4);
  });

  it("no call of such an answer is made, and each one is there with its reason", async () => {
    const { model } = await scriptedSubject.open([said(CALLS.weather, UNKNOWN)]);
    const message = await model.bindTools([createExampleTools().weather]).invoke(QUESTION);
    expect(message.tool_calls).toEqual([]);
    expect(message.invalid_tool_calls).toMatchObject([
      { name: "get_weather", error: expect.stringContaining("another call") },
      { name: "get_whether", error: expect.stringContaining("no tool") },
    ]);
  });

  it.each([{ fields: { invalidToolCalls: "throw" as const } }, { options: { invalidToolCalls: "throw" as const } }])(
    "with %j the call fails instead",
    async ({ fields = {}, options = {} }) => {
      const { model } = await scriptedSubject.open([said(UNKNOWN)], fields);
      const bound = model.bindTools([createExampleTools().weather], options);
      expect(await failureOf(bound.invoke(QUESTION))).toMatchObject({ code: "tool-call-unreadable" });
    },
  );

  it("a demanded call, a structured answer and an unreadable call fail as before", async () => {
    const { model } = await scriptedSubject.open([said(UNKNOWN)]);
    const { weather } = createExampleTools();
    const schema = z.object({ city: z.string() });
    const cut = await scriptedSubject.open([{ kind: "text", text: callBlock(CALLS.weather).slice(0, -12) }]);
    const models = [
      model.bindTools([weather], { tool_choice: "any" }),
      model.withStructuredOutput(schema, { name: "tell_city" }),
      cut.model.bindTools([weather]),
    ];
    for (const failing of models)
      expect(await failureOf(failing.invoke(QUESTION))).toMatchObject({ code: "tool-call-unreadable" });
  });

  it("an invalid call in a conversation reaches the CLI as a call, with the result that answers it", async () => {
    const { model, told } = await scriptedSubject.open([{ kind: "text", text: "I see." }]);
    const invalid = {
      type: "invalid_tool_call" as const,
      id: "call_1",
      name: "get_whether",
      args: '{"city":"Oslo"}',
      error: "no",
    };
    await model.invoke([
      new HumanMessage(QUESTION),
      new AIMessage({ content: "", invalid_tool_calls: [invalid] }),
      new ToolMessage({ tool_call_id: "call_1", content: "no such tool", status: "error" }),
    ]);
    expect(readThread(told()[0] ?? "")).toMatchObject([
      { type: "human" },
      { type: "tool_input", name: "get_whether", callId: "call_1", text: '{"city":"Oslo"}' },
      { type: "tool_output", name: "get_whether", status: "error" },
    ]);
  });
});

/** As in docs/langchain.md. */
const tellInvalidCalls = createMiddleware({
  name: "tellInvalidCalls",
  afterModel: {
    canJumpTo: ["model"],
    hook: ({ messages }) => {
      const last = messages.at(-1);
      const invalid = AIMessage.isInstance(last) ? (last.invalid_tool_calls ?? []) : [];
      if (invalid.length === 0) return undefined;
      const results = invalid.map(
        ({ id = "", name = "", error = "" }) => new ToolMessage({ tool_call_id: id, name, content: error, status: "error" }),
      );
      return { messages: results, jumpTo: "model" as const };
    },
  },
});

describe("agents and invalid calls", () => {
  const asked = { messages: [{ role: "user" as const, content: "How is the weather?" }] };

  it("LangChain's agent does not look at invalid calls: it ends with the message that has them", async () => {
    const { model } = await scriptedSubject.open([said(UNKNOWN)]);
    const { weather, executed } = createExampleTools();
    const { messages } = await createAgent({ model, tools: [weather] }).invoke(asked);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai"]);
    expect(messages.at(-1)).toMatchObject({ invalid_tool_calls: [{ name: "get_whether" }] });
    expect(executed).toEqual([]);
  });

  it("a middleware can tell the model, which then calls the right tool", async () => {
    const right: ModelAnswer = { kind: "calls", calls: [CALLS.weather] };
    const { model, told } = await scriptedSubject.open([said(UNKNOWN), said(WRONG), right, { kind: "text", text: "Cold." }]);
    const { weather, executed } = createExampleTools();
    const agent = createAgent({ model, tools: [weather], middleware: [tellInvalidCalls] });
    const { messages } = await agent.invoke(asked);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai", "tool", "ai"]);
    expect(executed).toEqual([CALLS.weather]);
    expect(messages.at(-1)?.text).toBe("Cold.");
    expect(told()[2]).toContain("do not match its schema");
    expect(callsOf(messages[3])).toEqual([CALLS.weather]);
  });
});

describe("invalid calls of a run without LangChain", () => {
  it("a run fails by default, and returns them where its request asks for it", async () => {
    await using client = createClient({ policies: false });
    const tool = { name: "get_weather", parameters: { type: "object", properties: { city: false }, required: ["city"] } };
    const request = { prompt: "Use get_weather.", tools: [tool] };
    const failed = await client.run("rehearsal/tool-caller", request).outcome();
    expect(failed.failure).toMatchObject({ code: "tool-call-unreadable" });
    const { failure, hostCalls, invalidCalls, finish } = await client
      .run("rehearsal/tool-caller", { ...request, invalidCalls: "return" })
      .outcome();
    expect([failure, hostCalls, finish]).toEqual([undefined, undefined, "tool-calls"]);
    expect(invalidCalls).toMatchObject([{ name: "get_weather", problem: expect.stringContaining("schema") }]);
  });
});
