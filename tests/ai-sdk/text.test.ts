import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { createCoxswain } from "../../src/adapters/ai-sdk/index.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { answers, FOREVER, fails, type Play, SESSION, says } from "../support/clis/plays.ts";
import { openPlayed, openRehearsal, readAll } from "./open-models.ts";

const USAGE = {
  inputTokens: 100,
  outputTokens: 30,
  totalTokens: 130,
  cacheReadTokens: 60,
  cacheWriteTokens: 10,
  reasoningTokens: 12,
  estimated: false,
  scope: "turn",
} as const;

/** Reasoning, a commentary, a tool of the CLI, and the answer. */
const WORK: Play = [
  { events: [{ type: "session-start", sessionId: SESSION, model: "played" }] },
  { events: [{ type: "reasoning-delta", messageId: "first", text: "I must " }] },
  { events: [{ type: "reasoning-delta", messageId: "first", text: "look." }] },
  says("Looking.", "first"),
  { events: [{ type: "tool-start", id: "tool_1", name: "Read" }] },
  { events: [{ type: "tool-call", id: "tool_1", name: "Read", input: { path: "a" }, executor: "cli" }] },
  { events: [{ type: "tool-end", id: "tool_1", output: "eight boats", isError: false }] },
  says("Eight boats.", "last"),
  { events: [{ type: "usage", usage: USAGE, costUsd: 0.25 }], end: { finish: "stop", answerId: "last" } },
];

describe("an answer for the AI SDK", () => {
  it("generateText gives the text, the usage and what Coxswain knows about the run", async () => {
    const { model } = openPlayed([WORK]);
    const result = await generateText({ model, prompt: "How many boats?", providerOptions: { coxswain: { mode: "agent" } } });
    expect(result.text).toBe("Looking.\n\nEight boats.");
    expect(result.reasoningText).toBe("I must look.");
    expect(result.finishReason).toBe("stop");
    expect(result.content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call", "tool-result", "text"]);
    expect(result.usage).toMatchObject({
      inputTokens: 100,
      inputTokenDetails: { noCacheTokens: 30, cacheReadTokens: 60, cacheWriteTokens: 10 },
      outputTokens: 30,
      outputTokenDetails: { textTokens: 18, reasoningTokens: 12 },
    });
    expect(result.response.modelId).toBe("played");
    expect(result.finalStep.providerMetadata).toEqual({
      coxswain: { provider: "one", model: "played", attempts: 1, warm: false, sessionId: SESSION, costUsd: 0.25 },
    });
  });

  it("a tool of the CLI whose result was not seen has an error as its result, not an empty one", async () => {
    const { model } = openPlayed([[...WORK.slice(0, -3), ...WORK.slice(-2)]]);
    const { content } = await generateText({ model, prompt: "Look.", providerOptions: { coxswain: { mode: "agent" } } });
    expect(content.find(({ type }) => type === "tool-error")).toMatchObject({
      toolCallId: "tool_1",
      error: "The run ended before the result of this call was seen.",
    });
    expect(content.map(({ type }) => type)).not.toContain("tool-result");
  });

  it("doStream gives every kind of part in order", async () => {
    const { model } = openPlayed([WORK]);
    const { stream } = await model.doStream({
      prompt: [user("How many boats?")],
      providerOptions: { coxswain: { mode: "agent" } },
    });
    const parts = joined(await readAll(stream));
    expect(parts.map(({ type }) => type)).toEqual([
      ...["stream-start", "response-metadata", "reasoning-start", "reasoning-delta", "reasoning-end"],
      ...["text-start", "text-delta", "text-end", "tool-input-start", "tool-input-delta", "tool-input-end"],
      ...["tool-call", "tool-result", "text-start", "text-delta", "text-end", "finish"],
    ]);
    expect(parts[0]).toEqual({ type: "stream-start", warnings: [] });
    const tool = { toolCallId: "tool_1", toolName: "Read", dynamic: true };
    const shown = { toolName: "Read", dynamic: true, providerExecuted: true };
    expect(parts[8]).toEqual({ type: "tool-input-start", id: "tool_1", ...shown });
    expect(parts[11]).toEqual({ type: "tool-call", ...tool, input: '{"path":"a"}', providerExecuted: true });
    expect(parts[12]).toEqual({ type: "tool-result", ...tool, result: "eight boats" });
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "stop", raw: "stop" }, usage: { raw: USAGE } });
  });

  it("streamText shows a tool of the CLI as one that the provider ran, and the same result as generateText", async () => {
    const { model } = openPlayed([WORK]);
    const result = streamText({ model, prompt: "How many boats?", providerOptions: { coxswain: { mode: "agent" } } });
    const parts = await readAll(result.fullStream);
    expect(parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("")).toBe("Looking.\n\nEight boats.");
    expect(parts.find(({ type }) => type === "tool-input-start")).toMatchObject({
      toolName: "Read",
      dynamic: true,
      providerExecuted: true,
    });
    expect(parts.map(({ type }) => type)).toContain("tool-input-end");
    expect(await result.toolCalls).toMatchObject([
      { toolName: "Read", input: { path: "a" }, dynamic: true, providerExecuted: true },
    ]);
    expect(await result.toolResults).toMatchObject([{ toolName: "Read", output: "eight boats", dynamic: true }]);
    expect(await result.reasoningText).toBe("I must look.");
    expect(await result.finishReason).toBe("stop");
  });

  it("the rehearsal CLI answers generateText and streamText with the same text", async () => {
    const model = openRehearsal("friendly");
    const { text } = await generateText({ model, system: "Be kind.", prompt: "Hello?" });
    expect(text).toContain("You asked: “Hello?”");
    const pieces = await readAll(streamText({ model, system: "Be kind.", prompt: "Hello?" }).textStream);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join("")).toBe(text);
  });

  it("an empty answer is a stream without blocks", async () => {
    const { model } = openPlayed([[{ end: { finish: "stop" } }]]);
    const { stream } = await model.doStream({ prompt: [user("Nothing.")] });
    expect((await readAll(stream)).map(({ type }) => type)).toEqual(["stream-start", "response-metadata", "finish"]);
  });

  it("a delta is not held back until the next one", async () => {
    const words = ["one ", "two ", "three "];
    const steps = words.flatMap((word): Play => [says(word), { until: word.trim() }]);
    const { model, fleet } = openPlayed([answers("four", { before: steps })]);
    const seen: string[] = [];
    for await (const piece of streamText({ model, prompt: "Count." }).textStream) {
      seen.push(piece);
      // The CLI goes on only when the word before has been seen.
      if (piece !== "four") fleet.tell("one", piece.trim());
    }
    expect(seen).toEqual([...words, "four"]);
  });
});

describe("settings of the AI SDK", () => {
  it("stop sequences end the answer, and the CLI", async () => {
    const plays = [answers("never seen", { before: [says("Before. ST"), says("OP after."), FOREVER] })];
    const streamed = openPlayed(plays);
    const result = streamText({ model: streamed.model, prompt: "Go.", stopSequences: ["STOP"] });
    expect((await readAll(result.textStream)).join("")).toBe("Before. ");
    expect(await result.finishReason).toBe("stop");
    expect(await result.usage).toMatchObject({ inputTokens: 1, outputTokens: Math.ceil("Before. STOP after.".length / 4) });
    await streamed.fleet.untilQuiet();
    const whole = openPlayed([answers("Before. STOP after.")]);
    expect(await generateText({ model: whole.model, prompt: "Go.", stopSequences: ["STOP"] })).toMatchObject({
      text: "Before. ",
    });
  });

  it("the output limit and the effort reach the CLI, and an answer that was cut off has the finish reason length", async () => {
    const cut: Play = [
      says("Half"),
      { end: { finish: "length", fault: { message: "The output limit was reached.", kind: "output-truncated" } } },
    ];
    const options = { one: { options: ["effort", "max-output-tokens"] } } as const;
    const { model, fleet } = openPlayed([cut, cut], { changes: options });
    const asked = { model, prompt: "Go.", maxOutputTokens: 5, reasoning: "high" } as const;
    expect(await generateText(asked)).toMatchObject({
      text: "Half",
      finishReason: "length",
      rawFinishReason: "length",
    });
    const streamed = streamText(asked);
    expect((await readAll(streamed.textStream)).join("")).toBe("Half");
    expect(await streamed.finishReason).toBe("length");
    expect(fleet.calls("one").map(({ told }) => told)).toMatchObject([
      { maxOutputTokens: 5, effort: "high" },
      { maxOutputTokens: 5, effort: "high" },
    ]);
  });

  it("each setting that no CLI has is a warning", async () => {
    const { model } = openPlayed([answers("Fine."), answers("Fine.")]);
    const settings = { temperature: 0.5, topP: 0.9, topK: 5, presencePenalty: 1, frequencyPenalty: 1, seed: 7 };
    const asked = { model, prompt: "Go.", ...settings, reasoning: "minimal" } as const;
    const { warnings } = await generateText(asked);
    expect(warnings).toMatchObject([
      ...Object.keys(settings)
        .map((feature) => ({ type: "unsupported", feature }))
        .toSorted(byFeature),
      { type: "compatibility", feature: "reasoning" },
      { type: "other", message: expect.stringContaining("effort") },
    ]);
    const streamed = streamText(asked);
    await streamed.consumeStream();
    expect(await streamed.warnings).toEqual(warnings);
  });

  it("strict refuses a setting that no CLI has before the CLI is started", async () => {
    const { model, fleet } = openPlayed([answers("Fine.")], {}, { defaults: { strict: true } });
    await expect(generateText({ model, prompt: "Go.", topK: 5 })).rejects.toMatchObject({
      name: "AI_UnsupportedFunctionalityError",
    });
    expect(fleet.starts("one")).toBe(0);
  });

  it("a whole answer may be repeated after text was written, a stream may not", async () => {
    const plays = [fails("server-error", {}, [says("Half")]), answers("Whole.")];
    expect(await generateText({ model: openPlayed(plays).model, prompt: "Go." })).toMatchObject({
      text: "Whole.",
      finalStep: { providerMetadata: { coxswain: { attempts: 2 } } },
    });
    const parts = await readAll(streamText({ model: openPlayed(plays).model, prompt: "Go.", onError: () => {} }).fullStream);
    expect(parts).toContainEqual(expect.objectContaining({ type: "error", error: expect.objectContaining({ statusCode: 502 }) }));
  });

  it("a chain and an alias name several CLIs", async () => {
    const fleet = openFleet({ one: [fails("quota-exhausted")], two: [answers("From the second.")] });
    const cox = createCoxswain({ client: fleet.another({ aliases: { best: "one/a, two/b" } }) });
    const { text, finalStep } = await generateText({ model: cox("best"), prompt: "Go." });
    expect(text).toBe("From the second.");
    expect(finalStep.providerMetadata).toMatchObject({ coxswain: { provider: "two", attempts: 2 } });
    expect(fleet.calls("two").map(({ told }) => told.model)).toEqual(["b"]);
  });
});

function user(text: string): { role: "user"; content: { type: "text"; text: string }[] } {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The parts with neighbouring deltas of a block as one: how many there are depends on the chunks that the CLI's output came in. */
function joined(parts: readonly LanguageModelV4StreamPart[]): readonly LanguageModelV4StreamPart[] {
  return parts.filter(({ type }, index) => !type.endsWith("-delta") || parts[index - 1]?.type !== type);
}

function byFeature(left: { readonly feature: string }, right: { readonly feature: string }): number {
  const order = ["temperature", "topP", "topK", "presencePenalty", "frequencyPenalty", "seed"];
  return order.indexOf(left.feature) - order.indexOf(right.feature);
}
