import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ExitReport } from "../../src/spec/wire/wire.ts";
import { type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { CLI_TAGS, CONTROLS, INERT_TABLE } from "./inert-table.ts";
import { type OpenResident, openResident } from "./open-resident.ts";
import { plantProjects, plantUserConfiguration, secretsIn } from "./planted-surroundings.ts";
import { expectPureRequest } from "./pure-request.ts";

const TEXT = "Hello from the fake model.";
const HELLO: FakeAnswer = { kind: "text", text: TEXT };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("stateless calls on one process of real codex", () => {
  it("do not see one another, also after an interrupt and after an error", async () => {
    const { cli, channel, take, ask } = await openResident("codex");
    const pid = channel.pid();
    expect(await take({ prompt: "The word is APPLE." })).toMatchObject({ text: TEXT, finish: "stop" });
    cli.api.answerWith({ kind: "stall", afterText: "Half" });
    const stalled = ask({ prompt: "The word is PEAR." });
    await expect.poll(() => stalled.events.some(({ type }) => type === "text-delta"), { timeout: 20_000 }).toBe(true);
    stalled.cancel();
    expect(await stalled.done).toMatchObject({ finish: "cancelled" });
    await untilReady(channel);
    cli.api.answerWith(responsesError("invalid_api_key"));
    expect(await take({ prompt: "The word is PLUM." })).toMatchObject({ text: "", failure: { code: "not-logged-in" } });
    cli.api.answerWith(HELLO);
    expect(await take({ prompt: "What is the word?" })).toMatchObject({ text: TEXT });
    expectPureRequest("codex", cli.api.modelRequests.at(-1), { prompt: "What is the word?" });
    expect(channel.pid()).toBe(pid);
  });

  it("may be cancelled before their thread exists, and the process goes on", async () => {
    const { cli, channel, take, ask } = await openResident("codex");
    const pid = channel.pid();
    const early = ask({ prompt: "Never mind." });
    early.cancel();
    expect(await early.done).toMatchObject({ finish: "cancelled" });
    await untilReady(channel);
    expect(await take({ prompt: "Hello" })).toMatchObject({ text: TEXT });
    expect([channel.pid(), cli.api.modelRequests.length]).toEqual([pid, 1]);
  });

  it("run at the same time, and each gets its own answer", async () => {
    const words = ["APPLE", "PEAR", "PLUM", "LEMON", "MANGO", "GRAPE", "PEACH", "MELON"];
    const found = (text: string): readonly string[] => words.filter((word) => text.includes(word));
    const answers = ({ rawBody }: { readonly rawBody: string }): FakeAnswer => ({
      kind: "text",
      text: `You said ${found(rawBody)}.`,
      delayMs: 20,
    });
    const { cli, take } = await openResident("codex", { answers });
    const results = await Promise.all(
      words.map((word) => take({ prompt: `The word is ${word}.`, system: `Never say ${word}!` })),
    );
    expect(results.map(({ text }) => text)).toEqual(words.map((word) => `You said ${word}.`));
    expect(cli.api.modelRequests.map(({ rawBody }) => found(rawBody).length)).toEqual(words.map(() => 1));
  });

  it("stream tokens and reasoning", async () => {
    const { ask } = await openResident("codex", {
      answers: { kind: "reasoning", reasoning: "It is so.", text: "Yes, it is.", deltas: 4 },
    });
    const turn = ask({ prompt: "Is it so?" });
    expect(await turn.done).toMatchObject({ text: "Yes, it is.", finish: "stop" });
    const textOf = (wanted: string): readonly string[] =>
      turn.events.flatMap((event) => (event.type === wanted && "text" in event ? [event.text ?? ""] : []));
    expect([textOf("text-delta").length, textOf("reasoning-delta").join("")]).toEqual([4, "It is so."]);
  });

  it("leave no thread in the memory of the process", async () => {
    const { channel, take } = await openResident("codex");
    const calls = async (count: number): Promise<number> => {
      for (let call = 0; call < count; call += 1) await take({ prompt: "x".repeat(100_000) });
      return residentMegabytes(channel.pid());
    };
    const before = await calls(15);
    // A thread that stays loaded takes 1.5 MB.
    expect((await calls(40)) - before).toBeLessThan(30);
  });

  it("end with the process at the end of its input", async () => {
    const { channel, take } = await openResident("codex");
    await take({ prompt: "Hello" });
    const none = (): void => {};
    const ended = new Promise<ExitReport>((resolve) => {
      const sink = { onRead: none, onValue: none, onDropped: none, onReadEnd: none, onStderr: none, onBroken: none };
      channel.take({ prompt: "" }, {}, { ...sink, onEnd: resolve }).send([{ close: true }]);
    });
    expect(await ended).toMatchObject({ exitCode: 0 });
  });
});

describe("a process of real codex is a pure model", () => {
  it("prompts reach it byte for byte, and it sends nothing of the user's files", async () => {
    const { cli, take } = await openResident("codex");
    const { started } = plantProjects(cli);
    plantUserConfiguration(cli);
    for (const [what, prompt] of Object.entries(INERT_TABLE)) {
      const before = cli.api.modelRequests.length;
      expect(await take({ prompt }), what).toMatchObject({ text: TEXT, warnings: [], toolCalls: [] });
      expect(cli.api.modelRequests).toHaveLength(before + 1);
      expectPureRequest("codex", cli.api.modelRequests[before], { prompt });
    }
    expect({ sent: secretsIn(cli.api.requests), started: started() }).toEqual({ sent: [], started: [] });
    expect(new Set(cli.api.requests.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(["POST /v1/responses"]));
  });

  it("each call has its own system prompt, schema, image and effort", async () => {
    const { cli, take } = await openResident("codex", { answers: { kind: "text", text: '{"city":"Ulm"}' } });
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false };
    const odd = `@../note.txt /help --help $home-agents-skill\n"'''\\ ${CONTROLS} \ufeff\u2028${CLI_TAGS}`;
    await take({ prompt: "hi", system: odd });
    await take({ prompt: "hi", system: "Answer in one word." });
    await take({ prompt: "hi", system: " \n" });
    expect(await take({ prompt: "Ulm?", outputSchema: schema })).toMatchObject({ object: { city: "Ulm" } });
    await take({ prompt: "Look.", images: [{ mediaType: "image/png", data: PIXEL }], effort: "max" });
    const requests = cli.api.modelRequests;
    expectPureRequest("codex", requests[0], { prompt: "hi", system: odd });
    expectPureRequest("codex", requests[1], { prompt: "hi", system: "Answer in one word." });
    expectPureRequest("codex", requests[2], { prompt: "hi" });
    expect(requests[3]?.body).toMatchObject({ text: { format: { type: "json_schema", schema, strict: true } } });
    expect(requests[4]?.body).toMatchObject({
      reasoning: { effort: "xhigh" },
      input: [{ content: [{ type: "input_image", image_url: `data:image/png;base64,${PIXEL}` }, { text: "Look." }] }],
    });
    expect(modelRequestsOf(cli).map(({ tools }) => tools)).toEqual([[], [], [], [], []]);
    expect(requests[4]?.body).not.toHaveProperty("text");
  });

  it("each call reports its own tokens", async () => {
    const spent = { inputTokens: 1_000, cacheReadTokens: 300, cacheWriteTokens: 200, outputTokens: 50, reasoningTokens: 10 };
    const { take } = await openResident("codex", { answers: { ...HELLO, usage: spent } });
    const usage = { ...spent, totalTokens: 1_050, estimated: false, scope: "turn" };
    expect((await take({ prompt: "One" })).usage).toEqual(usage);
    expect((await take({ prompt: "Two" })).usage).toEqual(usage);
  });
});

const inStream = (code: string): FakeAnswer => ({ kind: "stream-error", error: { code, message: "Try again in 1.5s." } });

const ERRORS: Readonly<Record<string, FakeAnswer>> = {
  "not-logged-in": responsesError("invalid_api_key"),
  "access-denied": responsesError("unsupported_country_region_territory"),
  "model-unknown": responsesError("model_not_found"),
  "bad-request": responsesError("invalid_request_error"),
  "context-overflow": responsesError("context_length_exceeded"),
  "context-overflow in the stream": inStream("context_length_exceeded"),
  "rate-limited": responsesError("rate_limit_exceeded"),
  "rate-limited in the stream": inStream("rate_limit_exceeded"),
  "quota-exhausted": responsesError("insufficient_quota"),
  "quota-exhausted in the stream": inStream("insufficient_quota"),
  "quota-exhausted by a plan": responsesError("usage_limit_reached"),
  "quota-exhausted without a plan": responsesError("usage_not_included"),
  "server-error": responsesError("server_error"),
  overloaded: responsesError("server_is_overloaded"),
  "overloaded in the stream": inStream("server_is_overloaded"),
  "output-truncated": { kind: "max-tokens", text: "Half" },
  refused: { kind: "refusal", text: "I ca" },
  "connection-lost": { kind: "cut", afterText: "Half" },
  "connection-lost after garbage": { kind: "garbage", body: "<html>no</html>" },
};

describe("the errors of real codex's model on one process", () => {
  it("have the codes that a new process gives them, and the process goes on", async () => {
    const { cli, channel, take } = await openResident("codex");
    const pid = channel.pid();
    for (const [what, answer] of Object.entries(ERRORS)) {
      cli.api.answerWith(answer);
      const { failure, finish } = await take({ prompt: "Hello" });
      const cold = await cli.run({ prompt: "Hello" });
      const { category, code, partialText } = cold.failure ?? {};
      expect({ what, ...failure, finish }).toMatchObject({ what, category, code, finish: cold.end.finish });
      expect({ what, code }).toEqual({ what, code: what.split(" ")[0] });
      // A new process prints a message when it is complete, this one as it comes.
      if (answer.kind !== "cut") expect({ what, partialText: failure?.partialText }).toEqual({ what, partialText });
    }
    cli.api.answerWith(HELLO);
    expect([await take({ prompt: "Hello" }), channel.pid()]).toMatchObject([{ text: TEXT }, pid]);
  });
});

async function untilReady(channel: OpenResident["channel"]): Promise<void> {
  await expect.poll(() => channel.canTake({ prompt: "" }), { timeout: 10_000 }).toBe(true);
}

function residentMegabytes(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
