import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { streamText } from "ai";
import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";
import { interleave } from "./measure.ts";

type BuiltDoor = Pick<typeof import("../src/adapters/ai-sdk/index.ts"), "createCoxswain">;

const WORDS = "The quick brown fox jumps over the dog. ";

/**
 * What the door for the AI SDK costs on 50 MB of deltas, as ratios of processor time: against reading the same run without it and a model
 * that emits the same parts, and against a model that emits each delta as a part (measured on a twentieth of them).
 */
export async function measureAiSdk(folder: string): Promise<{ readonly sameParts: number; readonly eachDelta: number }> {
  const file = join(folder, "deltas.jsonl");
  const deltas = writeDeltas(file, 50);
  const client = built.createClient({ providers: [instantProvider("instant", file)] });
  const { createCoxswain } = (await import(new URL("../dist/adapters/ai-sdk/index.js", import.meta.url).href)) as BuiltDoor;
  const model = createCoxswain({ client })("instant");
  const parts = await textParts(model);
  const read = async (): Promise<void> => {
    for await (const batch of client.run("instant", { prompt: "hello" }).batches())
      if (batch.length === 0) throw new Error("empty");
  };
  const medians = await interleave(15, {
    read,
    parts: () => stream(constantModel(parts)),
    deltas: () => stream(constantModel(Array.from({ length: deltas / 20 }, () => WORDS))),
    door: () => stream(model),
  });
  await client.close();
  const cpu = (name: string): number => medians[name]?.cpuMs ?? Number.NaN;
  process.stdout.write(
    `AI SDK, 50 MB of deltas: CPU ${cpu("door").toFixed(0)} ms; without the door ${cpu("read").toFixed(0)} ms + ${cpu("parts").toFixed(0)} ms for ${parts.length} parts\n`,
  );
  return {
    sameParts: cpu("door") / (cpu("read") + cpu("parts")),
    eachDelta: cpu("door") / (cpu("read") + 20 * cpu("deltas")),
  };
}

/** Writes stream-json with text deltas of one message, of about the given size; returns the number of deltas. */
function writeDeltas(path: string, megabytes: number): number {
  const file = openSync(path, "w");
  const session = { session_id: "5f0c9a52-2c52-4c53-8f2f-0d6c8f7f9b11", parent_tool_use_id: null };
  const line = (value: object): string => `${JSON.stringify({ ...value, ...session })}\n`;
  const event = (value: object): string => line({ type: "stream_event", event: value });
  const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: WORDS } });
  const count = Math.floor((megabytes * 1024 * 1024) / delta.length / 1000) * 1000;
  writeSync(file, line({ type: "system", subtype: "init", cwd: "/", tools: [], mcp_servers: [], model: "bench" }));
  writeSync(file, event({ type: "message_start", message: { id: "msg_1", role: "assistant", content: [] } }));
  for (let written = 0; written < count; written += 1000) writeSync(file, delta.repeat(1000));
  writeSync(file, event({ type: "message_stop" }));
  const usage = { input_tokens: 1, output_tokens: 1 };
  writeSync(file, line({ type: "result", subtype: "success", is_error: false, result: "", usage, total_cost_usd: 0 }));
  closeSync(file);
  return count;
}

/** The text of each part of a stream. */
async function textParts(model: LanguageModelV4): Promise<readonly string[]> {
  const { stream: parts } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }] });
  const texts: string[] = [];
  for await (const part of parts) if (part.type === "text-delta") texts.push(part.delta);
  return texts;
}

async function stream(model: LanguageModelV4): Promise<void> {
  let length = 0;
  for await (const text of streamText({ model, prompt: "hello" }).textStream) length += text.length;
  if (length === 0) throw new Error("no text");
}

/** A model that does nothing but emit these texts. */
function constantModel(texts: readonly string[]): LanguageModelV4 {
  const usage = { inputTokens: none, outputTokens: none };
  const begin: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata" },
    { type: "text-start", id: "1" },
  ];
  return {
    specificationVersion: "v4",
    provider: "constant",
    modelId: "constant",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams")),
    async doStream() {
      let at = 0;
      const parts = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => begin.forEach((part) => void controller.enqueue(part)),
        pull(controller) {
          const delta = texts[at];
          at += 1;
          if (delta !== undefined) return controller.enqueue({ type: "text-delta", id: "1", delta });
          controller.enqueue({ type: "text-end", id: "1" });
          controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage });
          controller.close();
        },
      });
      return { stream: parts };
    },
  };
}

const none = {
  total: undefined,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  text: undefined,
  reasoning: undefined,
};
