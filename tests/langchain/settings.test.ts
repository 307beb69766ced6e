import { inspect } from "node:util";
import { type AIMessage, type AIMessageChunk, HumanMessage, trimMessages } from "@langchain/core/messages";
import { describe, expect, it, vi } from "vitest";
import { ChatCli, toChatModel } from "../../src/adapters/langchain/index.ts";
import { createClient } from "../../src/index.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";
import type { ModelFields } from "./chat-model-suite/subject.ts";
import { QUESTION, quoted, quoting } from "./chat-model-suite/subject.ts";
import { rehearsalSubject, scriptedSubject } from "./program-subject.ts";

const SECRET = "value-that-nobody-may-see";
/** What JavaScript, or LangChain's own standard tests, may pass besides the typed fields. */
const loose = (fields: object): ModelFields => fields as ModelFields;

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const failed = await call.catch((error: unknown) => error);
  return RunError.is(failed) ? failed.failure : failed;
}

function warningsOf(message: AIMessage): unknown {
  return message.response_metadata["warnings"];
}

describe("the fields of a model", () => {
  it.each([{ stop: ["blue"] }, loose({ stopSequences: ["blue"] })])(
    "%j ends every answer, unless a call has its own",
    async (fields) => {
      const { model } = await scriptedSubject.open([quoting(QUESTION)], fields);
      expect((await model.invoke(QUESTION)).text).toBe("You asked: “Why is the sky ");
      let text = "";
      for await (const chunk of await model.stream(QUESTION)) text += chunk.text;
      expect(text).toBe("You asked: “Why is the sky ");
      expect((await model.invoke(QUESTION, { stop: ["sky"] })).text).toBe("You asked: “Why is the ");
      expect(model.getLsParams({}).ls_stop).toEqual(["blue"]);
    },
  );

  it.each([{ disableStreaming: true }, { streaming: false }])("with %j a stream is one whole answer", async (fields) => {
    const { model } = await scriptedSubject.open([quoting(QUESTION)], fields);
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await model.stream(QUESTION)) chunks.push(chunk);
    expect(chunks.map(({ text }) => text)).toEqual([expect.stringContaining(quoted(QUESTION))]);
    const deltas: unknown[] = [];
    for await (const event of model.streamEvents(QUESTION)) if (event.event === "content-block-delta") deltas.push(event);
    expect(deltas).toHaveLength(1);
  });

  it("with streaming, invoke reports its pieces to callbacks", async () => {
    // The rehearsal CLI pauses between words; text that comes at once is one piece.
    const { model } = await rehearsalSubject.open([quoting(QUESTION)], { streaming: true });
    const pieces: string[] = [];
    const handler = {
      awaitHandlers: true,
      handleLLMNewToken: (token: string): void => {
        pieces.push(token);
      },
    };
    const message = await model.invoke(QUESTION, { callbacks: [handler] });
    expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(message.text);
  });

  it("the request of a call replaces settings of the model, and callbacks do not get its values", async () => {
    const { model } = await rehearsalSubject.open([quoting(QUESTION)], { request: { strict: true } });
    const extras: unknown[] = [];
    const handler = {
      awaitHandlers: true,
      handleChatModelStart: (...[, , , , extra]: readonly unknown[]): void => {
        extras.push(extra);
      },
    };
    const mcpServers = { notes: { command: "notes", env: { NOTES_TOKEN: SECRET } } };
    const call = model.invoke(QUESTION, { request: { mcpServers }, callbacks: [handler] });
    expect(await failureOf(call)).toMatchObject({
      code: "option-unsupported",
      message: "Rehearsal does not support MCP servers.",
    });
    expect([JSON.stringify(extras), inspect(extras, { depth: 9 })].join()).not.toContain(SECRET);
    expect(JSON.stringify(extras)).toContain('"[mcpServers]"');
    const effort = model.invoke(QUESTION, { request: { effort: "high", strict: false } });
    expect(warningsOf(await effort)).toMatchObject([{ code: "setting-ignored" }]);
  });

  it("maxTokens and timeout are the settings of the request of the same meaning", async () => {
    const { model } = await rehearsalSubject.open([{ kind: "stall" }], { timeout: 1_500, maxTokens: 100 });
    expect(model.getLsParams({}).ls_max_tokens).toBe(100);
    expect(await failureOf(model.invoke(QUESTION))).toMatchObject({ code: "total-timeout" });
  });

  it.each(["effort", "maxTurns"] as const)("a setting that the CLI does not have is named on the answer: %s", async (setting) => {
    const request = setting === "effort" ? ({ effort: "high" } as const) : { maxTurns: 2 };
    const { model } = await rehearsalSubject.open([quoting(QUESTION)], { request });
    const warning = { code: "setting-ignored", message: expect.stringContaining(setting), setting };
    expect(warningsOf(await model.invoke(QUESTION))).toEqual([warning]);
    let last: AIMessage | undefined;
    for await (const chunk of await model.stream(QUESTION)) last = chunk as unknown as AIMessage;
    expect(last && warningsOf(last)).toEqual([warning]);
    const strict = await rehearsalSubject.open([quoting(QUESTION)], { request: { ...request, strict: true } });
    expect(await failureOf(strict.model.invoke(QUESTION))).toMatchObject({ code: "option-unsupported" });
  });

  it("sampling, of the model or of a call, is named on the answer, and refused where the request is strict", async () => {
    const { model } = await rehearsalSubject.open([quoting(QUESTION)], loose({ temperature: 0 }));
    expect(warningsOf(await model.invoke(QUESTION, { top_p: 0.5 } as object))).toEqual([
      { code: "setting-ignored", message: expect.stringContaining("temperature") },
      { code: "setting-ignored", message: expect.stringContaining("top_p") },
    ]);
    const strict = await rehearsalSubject.open([quoting(QUESTION)], loose({ temperature: 0, request: { strict: true } }));
    expect(await failureOf(strict.model.invoke(QUESTION))).toMatchObject({ code: "option-unsupported" });
  });

  it.each(["maxRetries", "maxConcurrency", "apiKey", "modle"])(
    "%s is refused by name, before anything is started",
    async (field) => {
      const { model, told } = await rehearsalSubject.open([quoting(QUESTION)], loose({ [field]: "1" }));
      const failure = { code: "option-unsupported", message: expect.stringContaining(field) };
      expect(await failureOf(model.invoke(QUESTION))).toMatchObject(failure);
      expect(await failureOf(read(model.stream(QUESTION)))).toMatchObject(failure);
      expect(told()).toEqual([]);
    },
  );

  it("two models contradict each other", () => {
    const fields = { provider: "rehearsal/tool", model: "friendly" };
    expect(() => new ChatCli(fields)).toThrow(
      new TypeError("The model friendly and the provider rehearsal/tool contradict each other; name the model in one place."),
    );
  });

  it("fields of a wrong type throw at once", () => {
    expect(() => rehearsalSubject.construct(loose({ stop: [7] }))).toThrow(TypeError);
    expect(() => rehearsalSubject.construct(loose({ invalidToolCalls: "maybe" }))).toThrow(TypeError);
  });
});

describe("what is known of a model", () => {
  it.each([
    ["claude", 200_000],
    ["claude-code", 200_000],
    ["claude/claude-opus-4-8[1m]", 1_000_000],
    ["codex", 272_000],
    ["codex/gpt-6.1-terra", 500_000],
    ["gemini", 1_048_576],
    ["codex/a-model-of-tomorrow", undefined],
    ["rehearsal", undefined],
  ])("the profile of %s has the input limit %s", (name, limit) => {
    expect(toChatModel(name).profile.maxInputTokens).toBe(limit);
  });

  it("tokens are counted on this machine", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
    const model = new ChatCli({ provider: "claude" });
    try {
      expect(await model.getNumTokens("The sky is blue because air scatters short waves.")).toBe(13);
      expect(await model.getNumTokens([{ type: "text", text: "天空为什么是蓝色的？" }])).toBe(3);
      expect(await model.getNumTokens([])).toBe(0);
      const kept = await trimMessages([new HumanMessage("word ".repeat(500)), new HumanMessage("Short.")], {
        maxTokens: 50,
        tokenCounter: model,
      });
      expect(kept.map(({ text }) => text)).toEqual(["Short."]);
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });

  it("neither the model nor what LangChain keeps of it holds a secret", () => {
    const client = createClient({ env: { KEY: SECRET } });
    const fields = { provider: "claude", model: "opus", client, request: { env: { PRIVATE: SECRET } } };
    const model = new ChatCli({ ...fields, ...loose({ apiKey: SECRET }) });
    expect(model.lc_kwargs).toEqual({ provider: "claude", model: "opus" });
    const bound = model.bindTools([]);
    for (const written of [JSON.stringify(model), JSON.stringify(bound), inspect(model, { depth: 12, showHidden: true })])
      expect(written).not.toContain(SECRET);
  });
});

describe("many calls at once", () => {
  it("a batch that is longer than the queue waits in line", async () => {
    const policies = { retry: false, limit: { perProvider: 2, queue: 1 } } as const;
    await using client = createClient({ policies });
    const model = new ChatCli({ provider: "rehearsal", client });
    const answers = await model.batch(Array.from({ length: 8 }, (_, index) => `Question ${index}?`));
    expect(answers.map(({ text }) => /Question \d/.exec(text)?.[0])).toEqual(answers.map((_, index) => `Question ${index}`));
    const refused = await Promise.all(
      Array.from({ length: 8 }, async () => (await client.run("rehearsal", { prompt: "Hi" }).outcome()).failure?.code),
    );
    expect(refused).toContain("queue-full");
  });
});

async function read(stream: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}
