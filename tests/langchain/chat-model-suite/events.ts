import type { ChatModelStreamEvent } from "@langchain/core/language_models/event";
import { describe, expect, it } from "vitest";
import { CALLS, callsOf, createExampleTools } from "./example-tools.ts";
import { QUESTION, quoted, quoting, type Subject } from "./subject.ts";
import { usageOf } from "./usage.ts";

/** The three kinds of event streams. */
export function describeEvents(subject: Subject): void {
  const { name } = subject;
  describe(`the event streams of a chat model on ${name}`, () => {
    it.each([
      ["v1", "llm"],
      ["v2", "chat_model"],
    ] as const)(`streamEvents %s of ${name} begins, streams and ends under one run id`, async (version, kind) => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const events: { readonly event: string; readonly run_id: string; readonly data: { readonly output?: unknown } }[] = [];
      for await (const event of model.streamEvents(QUESTION, { version })) events.push(event);
      const order = events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]);
      expect(order).toEqual([`on_${kind}_start`, `on_${kind}_stream`, `on_${kind}_end`]);
      expect(new Set(events.map((event) => event.run_id)).size).toBe(1);
      expect(JSON.stringify(events.at(-1)?.data.output)).toContain(quoted(QUESTION));
    });

    it(`streamEvents of ${name} without a version gives the blocks in order, and is awaited as the message`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const stream = model.streamEvents(QUESTION);
      const events: ChatModelStreamEvent[] = [];
      for await (const event of stream) events.push(event);
      const order = events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1] && event !== "usage");
      expect(order).toEqual([
        "message-start",
        "content-block-start",
        "content-block-delta",
        "content-block-finish",
        "message-finish",
      ]);
      const message = await stream;
      expect(message.text).toContain(quoted(QUESTION));
      expect(await stream.text).toBe(message.text);
      expect(usageOf(message)?.total_tokens).toBeGreaterThan(0);
    });

    it(`streamEvents of ${name} without a version gives complete calls`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.weather, CALLS.time] }]);
      const { weather, time } = createExampleTools();
      const options = { tools: [weather, time] };
      const stream = model.streamEvents("Ask get_weather, then get_time.", options);
      const message = await stream;
      expect(callsOf(message)).toEqual([CALLS.weather, CALLS.time]);
      expect((await stream.toolCalls).map(({ name: called, args }) => ({ name: called, args }))).toEqual([
        CALLS.weather,
        CALLS.time,
      ]);
      expect(new Set(message.tool_calls?.map((call) => call.id)).size).toBe(2);
    });
  });
}
