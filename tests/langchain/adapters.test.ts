import { setTimeout as delay } from "node:timers/promises";
import { getRetryable, stampRetryable } from "@langchain/core/errors";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type ToolCall,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ChatCli, createCliProvider, type ModelAdapter, toChatModel } from "../../src/adapters/langchain/index.ts";
import { createFailure } from "../../src/spec/failure/failure.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";
import { CALLS, callsOf, createExampleTools, example } from "./chat-model-suite/example-tools.ts";
import { QUESTION } from "./chat-model-suite/subject.ts";

const CALL = { ...CALLS.weather, id: "call_1", type: "tool_call" as const };
const CITY = z.object({ city: example(z.string(), "Ulm") });

type Spy = ModelAdapter & { readonly asked: BaseMessage[][]; readonly bound: string[][] };

/** An adapter that gives these answers in order; the last repeats. */
function answering(...answers: readonly (string | AIMessage)[]): Spy {
  const [asked, bound]: [BaseMessage[][], string[][]] = [[], []];
  const adapter: Spy = {
    asked,
    bound,
    invoke: async (messages) => {
      asked.push(messages);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? "";
      return typeof answer === "string" ? new AIMessage(answer) : answer;
    },
    bindTools: (tools) => {
      bound.push(tools.map((tool) => ("name" in tool ? String(tool.name) : "")));
      return adapter;
    },
  };
  return adapter;
}

async function drain(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<readonly AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const failed = await call.catch((error: unknown) => error);
  return RunError.is(failed) ? failed.failure : failed;
}

describe("a chat model of an adapter", () => {
  it("an answer ends before a stop sequence, from invoke and from stream", async () => {
    const model = toChatModel(answering("The sky is blue."));
    expect((await model.invoke(QUESTION, { stop: ["blue"] })).text).toBe("The sky is ");
    expect((await drain(model.stream(QUESTION, { stop: ["blue"] }))).map(({ text }) => text).join("")).toBe("The sky is ");
  });

  it("a stream has chunks with the text, the calls and the usage of the answer", async () => {
    const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
    const answer = Object.assign(new AIMessage({ content: "I look.", tool_calls: [CALL] }), { usage_metadata: usage });
    const chunks = await drain(toChatModel(answering(answer)).stream(QUESTION));
    const whole = chunks.reduce((message, chunk) => message.concat(chunk));
    expect([whole.text, callsOf(whole), whole.usage_metadata]).toEqual(["I look.", [CALLS.weather], usage]);
    expect(whole.tool_call_chunks).toHaveLength(1);
  });

  it("an aborted call rejects at once with the reason of its signal, even if the adapter goes on", async () => {
    const model = toChatModel({ invoke: () => delay(60_000, new AIMessage("late"), { ref: false }) });
    const stopping = new AbortController();
    const call = model.invoke(QUESTION, { signal: stopping.signal }).catch((error: unknown) => error);
    stopping.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
  });

  it("a structured answer is asked for, validated, and corrected once", async () => {
    const adapter = answering("Ulm, I think.", '```json\n{"city":"Ulm"}\n```');
    expect(
      await toChatModel(adapter)
        .withStructuredOutput?.(CITY)
        .invoke([new SystemMessage("Be brief."), new HumanMessage("Where?")]),
    ).toEqual({
      city: "Ulm",
    });
    expect(adapter.asked[0]?.map(({ type }) => type)).toEqual(["system", "system", "human"]);
    expect(adapter.asked[0]?.[1]?.text).toContain('"city"');
    expect(adapter.asked[1]?.at(-1)?.text).toContain("no JSON value");
    const never = toChatModel(answering("Ulm."));
    expect(await failureOf(Promise.resolve(never.withStructuredOutput?.(CITY).invoke("Where?")))).toMatchObject({
      code: "schema-mismatch",
    });
  });

  it("a structured answer by a call is the arguments of that call", async () => {
    const call = { name: "tell_city", args: { city: "Ulm" }, id: "call_1", type: "tool_call" as const };
    const adapter = answering(new AIMessage({ content: "", tool_calls: [call] }));
    expect(await toChatModel(adapter).withStructuredOutput?.(CITY, { name: "tell_city" }).invoke("Where?")).toEqual({
      city: "Ulm",
    });
  });

  it("the tool choice decides which tools are bound, and is checked", async () => {
    const { weather, time } = createExampleTools();
    const bind = (adapter: ModelAdapter, choice: string) =>
      toChatModel(adapter).bindTools?.([weather, time], { tool_choice: choice });
    const called = new AIMessage({ content: "", tool_calls: [CALL] });

    const none = answering("Hello.");
    await bind(none, "none")?.invoke(QUESTION);
    expect(none.bound).toEqual([]);

    const named = answering("Hello.", called);
    expect(callsOf(await bind(named, "get_weather")?.invoke(QUESTION))).toEqual([CALLS.weather]);
    expect([named.bound, named.asked.length]).toEqual([[["get_weather"]], 2]);

    expect(await failureOf(Promise.resolve(bind(answering("Hello."), "any")?.invoke(QUESTION)))).toMatchObject({
      code: "tool-call-unreadable",
    });
  });

  it.each<[what: string, wrong: ToolCall, problem: RegExp]>([
    ["wrong arguments", { ...CALL, args: { city: 7 } }, /The arguments of get_weather do not match its schema: \/city/],
    ["an unknown tool", { ...CALL, name: "get_wether" }, /There is no tool "get_wether". The tools are: get_weather, get_time/],
  ])("a call with %s is corrected once, and is then an invalid call or an error", async (_what, wrong, problem) => {
    const { weather, time } = createExampleTools();
    const calling = (call: ToolCall): AIMessage =>
      new AIMessage({ content: [{ ...call, type: "tool_call" }], tool_calls: [call] });
    const [bad, good] = [calling(wrong), calling(CALL)];
    const bind = (adapter: ModelAdapter, options: object = {}) => toChatModel(adapter).bindTools?.([weather, time], options);

    const corrected = answering(bad, good);
    const message = await bind(corrected)?.invoke(QUESTION);
    expect(callsOf(message)).toEqual([CALLS.weather]);
    expect(message?.response_metadata["warnings"]).toMatchObject([{ code: "tool-call-corrected" }]);
    expect(corrected.asked[1]?.slice(-3).map(({ type }) => type)).toEqual(["ai", "tool", "human"]);
    expect(corrected.asked[1]?.at(-1)?.text).toMatch(problem);

    const invalid = { id: CALL.id, name: wrong.name, args: JSON.stringify(wrong.args), error: expect.stringMatching(problem) };
    const never = await bind(answering(bad))?.invoke(QUESTION);
    expect([never?.tool_calls, never?.invalid_tool_calls]).toMatchObject([[], [invalid]]);
    const chunks = await drain(bind(answering(bad))?.stream(QUESTION) as ReturnType<BaseChatModel["stream"]>);
    const whole = chunks.reduce((joined, chunk) => joined.concat(chunk));
    expect([whole.tool_calls, whole.invalid_tool_calls]).toMatchObject([[], [invalid]]);
    for (const options of [{ invalidToolCalls: "throw" }, { tool_choice: "any" }])
      expect(await failureOf(Promise.resolve(bind(answering(bad), options)?.invoke(QUESTION)))).toMatchObject({
        code: "tool-call-unreadable",
      });
  });

  it("the arguments of a call get their defaults; the calls of tools without a schema are the adapter's own business", async () => {
    const withDefault = { name: "find", schema: z.object({ unit: z.string().default("C") }), description: "Finds" };
    const adapter = answering(new AIMessage({ content: "", tool_calls: [{ name: "find", args: {}, id: "call_1" }] }));
    expect(callsOf(await toChatModel(adapter).bindTools?.([withDefault]).invoke(QUESTION))).toEqual([
      { name: "find", args: { unit: "C" } },
    ]);
    const ofServer = answering(new AIMessage({ content: "", tool_calls: [{ name: "other", args: {}, id: "call_1" }] }));
    const message = await toChatModel(ofServer)
      .bindTools?.([{ type: "web_search" }])
      .invoke(QUESTION);
    expect([callsOf(message), ofServer.asked.length]).toEqual([[{ name: "other", args: {} }], 1]);
  });

  it("a setting that an adapter does not have is named on the answer", async () => {
    const model = toChatModel(answering("Hello."));
    const warning = { code: "setting-ignored", message: expect.stringContaining("temperature") };
    const options = { temperature: 0 } as object;
    expect((await model.invoke(QUESTION, options)).response_metadata["warnings"]).toEqual([warning]);
    const chunks = await drain(model.stream(QUESTION, options));
    expect(chunks.map((chunk) => chunk.response_metadata["warnings"])).toContainEqual([warning]);
    expect((await model.invoke(QUESTION)).response_metadata).not.toHaveProperty("warnings");
  });

  it("a failure tells LangChain whether and when a retry can help", async () => {
    const failing = (code: "overloaded" | "quota-exhausted"): ModelAdapter => ({
      invoke: async () => {
        const failure = createFailure(code, "No.", code === "overloaded" ? { retryAfterMs: 7 } : {});
        throw new RunError(failure, { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure });
      },
    });

    const [passing, lasting] = await Promise.all(
      (["overloaded", "quota-exhausted"] as const).map((code) =>
        toChatModel(failing(code))
          .invoke(QUESTION)
          .catch((error: unknown) => error),
      ),
    );
    expect([getRetryable(passing), getRetryable(lasting)]).toEqual([true, false]);
    expect(passing).toMatchObject({ retryAfterMs: 7 });
  });
});

describe("an error of another adapter", () => {
  const thrown = async (error: unknown): Promise<unknown> =>
    toChatModel({ invoke: () => Promise.reject(error) })
      .invoke(QUESTION)
      .catch((caught: unknown) => caught);

  it.each<[what: string, error: Error, isRetryable: boolean, retryAfterMs: number | undefined]>([
    ["a rate limit", Object.assign(new Error("Too many requests"), { status: 429, headers: { "retry-after": "7" } }), true, 7000],
    ["an overloaded service", Object.assign(new Error("Overloaded"), { status: 529 }), true, undefined],
    ["a wrong key", Object.assign(new Error("Invalid API key"), { status: 401 }), false, undefined],
    ["a mark of its own", stampRetryable(Object.assign(new Error("Invalid API key"), { status: 401 }), true), true, undefined],
    ["an error that cannot be changed", Object.freeze(new Error("Overloaded")), undefined as never, undefined],
  ])("tells LangChain whether and when a retry can help: %s", async (_what, error, isRetryable, retryAfterMs) => {
    const caught = await thrown(error);
    expect(caught).toBe(error);
    expect(getRetryable(caught)).toBe(isRetryable);
    expect((caught as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  it("that is no object is thrown as it is", async () => {
    expect(await thrown("Overloaded")).toBe("Overloaded");
  });
});

describe("a chat model of a CLI's adapter", () => {
  it("it is asked as the CLI itself: structured output, tool choice, pieces and stop sequences", async () => {
    const model = toChatModel(createCliProvider("rehearsal"));
    expect(model).toBeInstanceOf(ChatCli);
    expect(await model.withStructuredOutput?.(CITY).invoke("Where?")).toEqual({ city: "Ulm" });
    const chunks = await drain(model.stream("Hello there", { stop: ["behind"] }));
    expect(chunks.filter(({ text }) => text !== "").length).toBeGreaterThan(1);
    expect(chunks.map(({ text }) => text).join("")).toMatch(/stands $/);
  });

  it("the tools that were bound to the adapter stay bound", async () => {
    const adapter = createCliProvider("rehearsal", { model: "tool-caller" }).bindTools([createExampleTools().weather]);
    expect(callsOf(await toChatModel(adapter).invoke("Use get_weather."))).toEqual([CALLS.weather]);
    const silent = await toChatModel(adapter).invoke("Use get_weather.", { tool_choice: "none" } as object);
    expect(silent.tool_calls).toEqual([]);
  });
});
