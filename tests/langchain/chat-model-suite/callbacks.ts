import { randomUUID } from "node:crypto";
import { RunCollectorCallbackHandler } from "@langchain/core/tracers/run_collector";
import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import { QUESTION, quoted, quoting, type Subject } from "./subject.ts";
import { usageOf } from "./usage.ts";

type Heard = {
  readonly what: "start" | "token" | "end" | "error";
  readonly runId: string;
  readonly text?: string;
  readonly error?: unknown;
};

/** The events that callbacks and tracers get. */
export function describeCallbacks(subject: Subject): void {
  const { name } = subject;
  describe(`the callbacks of a chat model on ${name}`, () => {
    it(`callbacks of an invoke on ${name} hear its start and end under the run id that was asked for`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const { handler, heard } = listen();
      const runId = randomUUID();
      const message = await model.invoke(QUESTION, { callbacks: [handler], runId });
      expect(heard.filter(({ what }) => what !== "token")).toEqual([
        { what: "start", runId },
        { what: "end", runId, text: message.text },
      ]);
      expect(heard.every((entry) => entry.runId === runId)).toBe(true);
    });

    it(`callbacks of a stream on ${name} hear every piece between its start and its end`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const { handler, heard } = listen();
      let text = "";
      for await (const chunk of await model.stream(QUESTION, { callbacks: [handler] })) text += chunk.text;
      expect(text).toContain(quoted(QUESTION));
      expect([heard[0]?.what, heard.at(-1)?.what]).toEqual(["start", "end"]);
      expect(heard.flatMap((entry) => (entry.what === "token" ? [entry.text] : [])).join("")).toBe(text);
      expect(new Set(heard.map((entry) => entry.runId)).size).toBe(1);
    });

    it.each(["invoke", "stream"] as const)(`callbacks of an %s on ${name} that fails hear the error and no end`, async (way) => {
      const { model } = await subject.open([{ kind: "failure" }]);
      const { handler, heard } = listen();
      const failed = await read(model[way](QUESTION, { callbacks: [handler] })).catch((error: unknown) => error);
      expect(RunError.is(failed) && failed.failure).toMatchObject({ category: "quota", code: "quota-exhausted" });
      expect(heard.map(({ what }) => what)).toEqual(["start", "error"]);
      expect(heard[1]?.error).toBe(failed);
    });

    it(`a tracer collects the run on ${name} with its messages, its parameters and its tokens`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const collector = new RunCollectorCallbackHandler();
      const message = await model.invoke(QUESTION, {
        callbacks: [collector],
        tags: ["a-tag"],
        metadata: { made: "here" },
      });
      expect(collector.tracedRuns).toHaveLength(1);
      expect(collector.tracedRuns[0]).toMatchObject({
        run_type: "llm",
        tags: ["a-tag"],
        extra: { metadata: { made: "here", ls_provider: expect.stringMatching(/\S/), ls_model_type: "chat" } },
        outputs: { generations: [[{ text: message.text }]] },
      });
      expect(JSON.stringify(collector.tracedRuns[0]?.outputs)).toContain(`"total_tokens":${usageOf(message)?.total_tokens}`);
      expect(JSON.stringify(collector.tracedRuns[0]?.inputs)).toContain(QUESTION);
    });
  });
}

function listen(): { readonly handler: object; readonly heard: readonly Heard[] } {
  const heard: Heard[] = [];
  const handler = {
    awaitHandlers: true,
    handleChatModelStart: (_model: unknown, _messages: unknown, runId: string): void => {
      heard.push({ what: "start", runId });
    },
    handleLLMNewToken: (text: string, _index: unknown, runId: string): void => {
      heard.push({ what: "token", runId, text });
    },
    handleLLMEnd: (output: { readonly generations: readonly (readonly { readonly text: string }[])[] }, runId: string): void => {
      heard.push({ what: "end", runId, text: output.generations[0]?.[0]?.text ?? "" });
    },
    handleLLMError: (error: unknown, runId: string): void => {
      heard.push({ what: "error", runId, error });
    },
  };
  return { handler, heard };
}

/** Reads an answer or a stream to its end. */
async function read(answer: Promise<object>): Promise<void> {
  const value = await answer;
  if (!(Symbol.asyncIterator in value)) return;
  for await (const _ of value as AsyncIterable<unknown>);
}
