import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { streamText } from "ai";
import type { Provider } from "../src/spec/provider/provider.ts";
import { built } from "./built.ts";
import { builtProvider, instantProvider } from "./instant-provider.ts";
import { interleave } from "./measure.ts";
import { writeCodexStreamFile } from "./rivals/codex-stream-file.ts";

type BuiltDoor = Pick<typeof import("../src/adapters/ai-sdk/index.ts"), "createCoxswain">;

const WORDS = "The quick brown fox jumps over the dog. ";

/** Ratios of processor time: the door against reading the same run without it and a model that emits the same parts, or each delta as a part. */
export type AiSdkCosts = { readonly sameParts: number; readonly eachDelta: number; readonly messages: number };

/** What the door for the AI SDK costs on 50 MB of deltas, and on 50 MB of Codex's messages, which are parts of their own. */
export async function measureAiSdk(folder: string): Promise<AiSdkCosts> {
  const file = join(folder, "deltas.jsonl");
  const count = writeDeltas(file, 50);
  // A twentieth of the deltas is enough to measure what a part costs the AI SDK.
  const fewer = textParts(Array.from({ length: count / 20 }, () => WORDS));
  const deltas = await measureDoor(instantProvider("instant", file), 15, { deltas: () => stream(constantModel(fewer)) });
  const items = join(folder, "messages.jsonl");
  writeCodexStreamFile(items, 50);
  const messages = await measureDoor(instantProvider("instant", items, builtProvider("codex")), 3);
  return {
    sameParts: deltas.door / (deltas.read + deltas.parts),
    eachDelta: deltas.door / (deltas.read + 20 * (deltas["deltas"] ?? Number.NaN)),
    messages: messages.door / (messages.read + messages.parts),
  };
}

type Work = () => Promise<void>;
type DoorCosts = Readonly<Record<"door" | "read" | "parts" | (string & {}), number>>;

/** The processor time of streamText with the door, of reading the run alone, of streamText with the same parts, and of other work beside them. */
async function measureDoor(provider: Provider, rounds: number, others: Readonly<Record<string, Work>> = {}): Promise<DoorCosts> {
  const client = built.createClient({ providers: [provider] });
  const { createCoxswain } = (await import(new URL("../dist/adapters/ai-sdk/index.js", import.meta.url).href)) as BuiltDoor;
  const model = createCoxswain({ client })(provider.id);
  const parts = await partsOf(model);
  const read = async (): Promise<void> => {
    for await (const batch of client.run(provider.id, { prompt: "hello" }).batches())
      if (batch.length === 0) throw new Error("empty");
  };
  const medians = await interleave(rounds, {
    ...others,
    read,
    parts: () => stream(constantModel(parts)),
    door: () => stream(model),
  });
  await client.close();
  const cpu = (name: string): number => medians[name]?.cpuMs ?? Number.NaN;
  const [door, alone, same] = [cpu("door"), cpu("read"), cpu("parts")];
  process.stdout.write(
    `AI SDK, 50 MB: CPU ${door.toFixed(0)} ms; without the door ${alone.toFixed(0)} ms + ${same.toFixed(0)} ms for ${parts.length} parts\n`,
  );
  return { ...Object.fromEntries(Object.keys(others).map((name) => [name, cpu(name)])), door, read: alone, parts: same };
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

/** The parts of a stream of a model. */
async function partsOf(model: LanguageModelV4): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream: source } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }] });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of source) parts.push(part);
  return parts;
}

async function stream(model: LanguageModelV4): Promise<void> {
  let length = 0;
  for await (const text of streamText({ model, prompt: "hello" }).textStream) length += text.length;
  if (length === 0) throw new Error("no text");
}

/** The parts of an answer with these texts. */
function textParts(texts: readonly string[]): readonly LanguageModelV4StreamPart[] {
  const usage = { inputTokens: none, outputTokens: none };
  return [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata" },
    { type: "text-start", id: "1" },
    ...texts.map((delta) => ({ type: "text-delta", id: "1", delta }) as const),
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
  ];
}

/** A model that does nothing but emit these parts. */
function constantModel(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "constant",
    modelId: "constant",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams")),
    async doStream() {
      let at = 0;
      const source = new ReadableStream<LanguageModelV4StreamPart>({
        pull(controller) {
          const part = parts[at];
          at += 1;
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        },
      });
      return { stream: source };
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
