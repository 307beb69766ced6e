import { load } from "@langchain/core/load";
import type { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callBlock } from "../support/clis/call-blocks.ts";
import { CALLS, callsOf, createExampleTools } from "./chat-model-suite/example-tools.ts";
import { describeReasoning, THOUGHTFUL } from "./chat-model-suite/reasoning.ts";
import { type ModelAnswer, QUESTION } from "./chat-model-suite/subject.ts";
import { scriptedSubject } from "./program-subject.ts";

async function drain(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<readonly AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

function join(chunks: readonly AIMessageChunk[]): AIMessageChunk {
  return chunks.reduce((message, chunk) => message.concat(chunk));
}

describeReasoning(scriptedSubject);

describe("the reasoning of an answer", () => {
  it("with the output version v1 the content itself consists of these blocks", async () => {
    const { model } = await scriptedSubject.open([THOUGHTFUL], { outputVersion: "v1" });
    for (const message of [await model.invoke(QUESTION), join(await drain(model.stream(QUESTION)))])
      expect(message.content).toMatchObject([
        { type: "reasoning", reasoning: THOUGHTFUL.thinking },
        { type: "text", text: THOUGHTFUL.text },
      ]);
  });

  it("streamEvents gives the reasoning as a block of its own", async () => {
    const { model } = await scriptedSubject.open([THOUGHTFUL]);
    const stream = model.streamEvents(QUESTION);
    expect(await stream.reasoning).toBe(THOUGHTFUL.thinking);
    expect(await stream.text).toBe(THOUGHTFUL.text);
  });

  it("a parser of text behind the model gets the text without the reasoning", async () => {
    const { model } = await scriptedSubject.open([THOUGHTFUL]);
    expect(await model.pipe(new StringOutputParser()).invoke(QUESTION)).toBe(THOUGHTFUL.text);
  });

  it("reasoning and a call are both there, also in the events", async () => {
    const { model } = await scriptedSubject.open([{ ...THOUGHTFUL, text: callBlock(CALLS.weather) }]);
    const tools = [createExampleTools().weather];
    const message = await model.bindTools(tools).invoke(QUESTION);
    expect([message.contentBlocks[0]?.type, callsOf(message)]).toEqual(["reasoning", [CALLS.weather]]);
    const awaited = await model.streamEvents(QUESTION, { tools });
    expect(callsOf(awaited)).toEqual([CALLS.weather]);
  });
});

describe("stored answers", () => {
  it("an answer and its chunks are stored as LangChain's own messages, and read again", async () => {
    const { model } = await scriptedSubject.open([{ ...THOUGHTFUL, text: callBlock(CALLS.weather) }]);
    const bound = model.bindTools([createExampleTools().weather]);
    for (const message of [await bound.invoke(QUESTION), join(await drain(bound.stream(QUESTION)))]) {
      const stored = await load<AIMessage>(JSON.stringify(message));
      expect(stored.constructor.name).toMatch(/^AIMessage(?:Chunk)?$/);
      expect([stored.text, callsOf(stored)]).toEqual([message.text, [CALLS.weather]]);
      expect(stored.additional_kwargs).toEqual(message.additional_kwargs);
    }
  });
});

describe("the text of an answer", () => {
  it.each(["\n  indented\n", "ends with a newline\n", "  ", "one\n\n\ntwo\n"])(
    "%j is the same from invoke and stream",
    async (text) => {
      const { model } = await scriptedSubject.open([{ kind: "text", text }]);
      expect((await model.invoke(QUESTION)).text).toBe(text);
      expect(join(await drain(model.stream(QUESTION))).text).toBe(text);
    },
  );

  it("text beside a call that is corrected is the same from invoke and stream", async () => {
    const cut: ModelAnswer = { kind: "text", text: `I look it up.\n\n${callBlock(CALLS.weather).slice(0, -12)}` };
    const script = [cut, { kind: "calls", calls: [CALLS.weather] }] as const;
    const [one, other] = [await scriptedSubject.open(script), await scriptedSubject.open(script)];
    const tools = [createExampleTools().weather];
    const message = await one.model.bindTools(tools).invoke(QUESTION);
    const whole = join(await drain(other.model.bindTools(tools).stream(QUESTION)));
    expect([message.text, callsOf(message)]).toEqual(["I look it up.", [CALLS.weather]]);
    expect([whole.text, callsOf(whole)]).toEqual([message.text, callsOf(message)]);
  });

  it("behind a stop sequence there are no calls, from invoke and from stream", async () => {
    const { model } = await scriptedSubject.open([{ kind: "text", text: `Wait. STOP here.\n\n${callBlock(CALLS.weather)}` }]);
    const bound = model.bindTools([createExampleTools().weather], { stop: ["STOP"] });
    for (const message of [await bound.invoke(QUESTION), join(await drain(bound.stream(QUESTION)))]) {
      expect([message.text, message.tool_calls]).toEqual(["Wait. ", []]);
      expect(message.response_metadata).toMatchObject({ finish_reason: "stop" });
    }
  });
});

describe("calls and values in a stream", () => {
  it("each call is one complete chunk, behind the text and before the usage", async () => {
    const { model } = await scriptedSubject.open([{ kind: "calls", calls: [CALLS.weather, CALLS.time] }]);
    const { weather, time } = createExampleTools();
    const chunks = await drain(model.bindTools([weather, time]).stream(QUESTION));
    const pieces = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
    expect(pieces.map(({ name, args }) => ({ name, args: JSON.parse(args ?? "") }))).toEqual([CALLS.weather, CALLS.time]);
    expect(chunks.at(-1)?.usage_metadata).toBeDefined();
  });

  it.each(["jsonSchema", "functionCalling"] as const)(
    "a value by %s is streamed once, when it is complete and valid",
    async (method) => {
      const ulm = { city: "Ulm", people: 128_928 };
      const answer: ModelAnswer =
        method === "jsonSchema" ? { kind: "object", object: ulm } : { kind: "calls", calls: [{ name: "tell_city", args: ulm }] };
      const { model } = await scriptedSubject.open([answer]);
      const schema = z.object({ city: z.string(), people: z.number() });
      const values: unknown[] = [];
      const structured = model.withStructuredOutput(schema, method === "jsonSchema" ? { method } : { method, name: "tell_city" });
      for await (const value of await structured.stream("Ulm?")) values.push(value);
      expect(values).toEqual([ulm]);
    },
  );
});
