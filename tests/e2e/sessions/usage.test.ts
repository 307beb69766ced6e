import type { AIMessageChunk } from "@langchain/core/messages";
import { generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { createCoxswain } from "../../../src/adapters/ai-sdk/index.ts";
import { ChatCli } from "../../../src/adapters/langchain/index.ts";
import { createAgent } from "../../../src/agent/index.ts";
import { createGateway } from "../../../src/gateway/create-gateway.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { openSpoken } from "../../support/clis/open-spoken.ts";
import { type Play, prints, SESSION, type Step, says, tokens } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

/** What one turn costs. */
const USD = 0.01;

/** The turns of a CLI whose reports have the totals of its session: the n-th has n times these counts. */
const SPOKEN: Readonly<Record<string, (turn: number, text: string) => Play>> = {
  codex: (turn, text) =>
    prints(
      { type: "thread.started", thread_id: SESSION },
      { type: "item.completed", item: { id: "item_0", type: "agent_message", text } },
      { type: "turn.completed", usage: { input_tokens: 100 * turn, cached_input_tokens: 0, output_tokens: 20 * turn } },
    ),
  qwen: (turn, text) =>
    prints(
      { type: "system", subtype: "init", session_id: SESSION, model: "played" },
      { type: "assistant", session_id: SESSION, message: { id: "m", role: "assistant", content: [{ type: "text", text }] } },
      resultOf(text, { usage: { input_tokens: 100 * turn, output_tokens: 20 * turn, total_tokens: 120 * turn } }),
    ),
  claude: (turn, text) => claudeTurn(text, { ...OWN_COUNTS, modelUsage: modelUsage(turn), total_cost_usd: USD * turn }),
};

const OWN_COUNTS: JsonObject = { usage: { input_tokens: 100, output_tokens: 20 } };

function modelUsage(turn: number): JsonObject {
  return { played: { inputTokens: 100 * turn, outputTokens: 20 * turn, costUSD: USD * turn } };
}

function claudeTurn(text: string, fields: JsonObject): Play {
  return prints(
    { type: "system", subtype: "init", session_id: SESSION, model: "played" },
    { type: "assistant", session_id: SESSION, message: { id: "m", role: "assistant", content: [{ type: "text", text }] } },
    resultOf(text, fields),
  );
}

function resultOf(text: string, fields: JsonObject): JsonObject {
  return { type: "result", subtype: "success", is_error: false, session_id: SESSION, result: text, num_turns: 1, ...fields };
}

function spoken(id: string, texts: readonly string[]): readonly Play[] {
  return texts.map((text, index) => SPOKEN[id]?.(index + 1, text) ?? []);
}

const RESUMED = { session: { resume: SESSION } };
const ONE = { inputTokens: 100, outputTokens: 20, totalTokens: 120, scope: "turn" };

describe.each(["codex", "qwen"])("%s, which reports the totals of its session,", (id) => {
  it("has the tokens of the run in a resumed run, and those of all attempts after a correction", async () => {
    const fleet = openSpoken(id, spoken(id, ["One.", "Two.", "No object.", '{"city":"Oslo"}', "Five."]));
    const outputSchema = { type: "object", required: ["city"], properties: { city: { type: "string" } } };
    expect((await fleet.finish(id, { session: { keep: true } })).result.usage).toMatchObject(ONE);
    expect((await fleet.finish(id, RESUMED)).result.usage).toMatchObject(ONE);
    const corrected = await fleet.finish(id, { ...RESUMED, outputSchema });
    expect(corrected.result).toMatchObject({ object: { city: "Oslo" }, usage: { totalTokens: 240, scope: "turn" } });
    expect((await fleet.finish(id, RESUMED)).result.usage).toMatchObject(ONE);
    expect(fleet.starts(id)).toBe(5);
  });

  it("has them in a session that another client continues, and a budget counts them once", async () => {
    const fleet = openSpoken(id, spoken(id, ["One.", "Two.", "Three.", "Four."]), { policies: { budget: { tokens: 250 } } });
    const session = fleet.client.session({ target: id });
    for (const prompt of ["1", "2"]) expect((await session.send(prompt)).usage).toMatchObject(ONE);
    const there = fleet.another({ policies: false }).resume(session.id);
    expect((await there?.send("3"))?.usage).toMatchObject(ONE);
    expect(there?.record.usage).toMatchObject({ totalTokens: 360 });
    expect((await session.send("4")).usage).toMatchObject(ONE);
    expect((await session.stream("5").outcome()).failure).toMatchObject({ code: "budget-spent" });
  });

  it("has them beside runs that continue the CLI's session without its record", async () => {
    const fleet = openSpoken(id, spoken(id, ["One.", "Two.", "Three.", "Four."]));
    const session = fleet.client.session({ target: id });
    expect((await session.send("1")).usage).toMatchObject(ONE);
    expect((await fleet.finish(id, RESUMED)).result.usage).toMatchObject(ONE);
    const other = fleet.another();
    expect((await other.resume(session.id)?.send("3"))?.usage).toMatchObject(ONE);
    expect((await fleet.finish(id, RESUMED)).result.usage).toMatchObject(ONE);
  });

  it("has them after a first run that failed without counts", async () => {
    const begins = (SPOKEN[id]?.(1, "") ?? []).slice(0, 1);
    const fleet = openSpoken(id, [[...begins, { do: "die", signal: "SIGKILL" }], ...spoken(id, ["One."])], { policies: false });
    expect((await fleet.finish(id, { session: { keep: true } })).result.failure).toBeDefined();
    expect((await fleet.finish(id, RESUMED)).result.usage).toMatchObject(ONE);
  });

  it("has those of the whole session, and says so, if another program began it; a budget does not count them", async () => {
    const fleet = openSpoken(id, spoken(id, ["One.", "Two.", "Three."]).slice(2), { policies: { budget: { tokens: 100 } } });
    const { events, result } = await fleet.finish(id, RESUMED);
    expect(result.usage).toMatchObject({ totalTokens: 360, scope: "thread" });
    expect(eventsOf(events, "usage").at(-1)?.usage).toEqual(result.usage);
    expect((await fleet.finish(id, RESUMED)).result.failure).toBeUndefined();
  });
});

/** The events of a message that used what one turn uses. */
const STREAMED: Play = [
  { type: "message_start", message: { id: "m", usage: { input_tokens: 100, output_tokens: 1 } } },
  { type: "message_delta", delta: {}, usage: { input_tokens: 100, output_tokens: 20 } },
  { type: "message_stop" },
].map((event) => ({ type: "stream_event", session_id: SESSION, event }) as Step);

describe("claude, whose cost is that of its session,", () => {
  it("has the cost of the turn in each turn of a session and of its copy, and a budget counts it once", async () => {
    const copied = claudeTurn("Four.", { ...OWN_COUNTS, modelUsage: modelUsage(4), total_cost_usd: USD * 4 });
    const fleet = openSpoken("claude", [...spoken("claude", ["One.", "Two.", "Three."]), copied], {
      policies: { budget: { usd: 3.5 * USD } },
    });
    const session = fleet.client.session({ target: "claude" });
    const turn = { usage: ONE, costUsd: USD };
    for (const prompt of ["1", "2", "3"]) expect(await session.send(prompt)).toMatchObject(turn);
    expect(session.record.costUsd).toBeCloseTo(3 * USD, 10);
    const fork = session.fork();
    expect(await fork.send("4")).toMatchObject(turn);
    expect(fork.record.costUsd).toBe(USD);
    expect((await session.stream("5").outcome()).failure).toMatchObject({ code: "budget-spent" });
  });

  it("of a version that begins with zero in each process has the counts of its messages where the last line has none", async () => {
    const [begins = {}, ...rest] = claudeTurn("Two.", { modelUsage: modelUsage(1.2), total_cost_usd: 1.2 * USD });
    const fleet = openSpoken("claude", [...spoken("claude", ["One."]), [begins, ...STREAMED, ...rest]]);
    const session = fleet.client.session({ target: "claude" });
    await session.send("1");
    expect(await session.send("2")).toMatchObject({ usage: { totalTokens: 144 }, costUsd: 1.2 * USD });
  });

  it("has the cost of the turn also if its process began with what an earlier process stored late", async () => {
    const turn = (own: number, total: number): Play => {
      const usage = { input_tokens: 100 * own, output_tokens: 20 * own };
      return claudeTurn("Yes.", { usage, modelUsage: modelUsage(total), total_cost_usd: USD * total });
    };
    // The second process begins before the first has stored its total, and the third before the second has.
    const fleet = openSpoken("claude", [turn(1, 1), turn(3, 3), turn(2, 1 + 2)]);
    const session = fleet.client.session({ target: "claude" });
    const costs = [];
    for (const prompt of ["1", "2", "3"]) costs.push((await session.send(prompt)).costUsd);
    expect(costs).toEqual([USD, 3 * USD, 2 * USD]);
  });

  it("says that the cost is that of the session if another program began it", async () => {
    const fleet = openSpoken("claude", spoken("claude", ["One.", "Two.", "Three."]).slice(2));
    const { events, result } = await fleet.finish("claude", RESUMED);
    expect(result).toMatchObject({ usage: ONE, costUsd: 3 * USD, costScope: "thread" });
    expect(eventsOf(events, "usage").at(-1)).toMatchObject({ costScope: "thread" });
  });

  it("has the counts of its messages where the last line has none, also if another program began the session", async () => {
    const [begins = {}, ...rest] = claudeTurn("Three.", { modelUsage: modelUsage(3), total_cost_usd: 3 * USD });
    const { result } = await openSpoken("claude", [[begins, ...STREAMED, ...rest]]).finish("claude", RESUMED);
    expect(result).toMatchObject({ usage: ONE, costUsd: 3 * USD, costScope: "thread" });
  });

  it("has the total once after another attempt with a copy of a session that another program began", async () => {
    const fields = { is_error: true, api_error_status: 500, modelUsage: modelUsage(3), total_cost_usd: 3 * USD };
    const failed = prints(resultOf("API Error: 500 Internal Server Error. Try again in a moment.", fields));
    const plays = [failed, ...spoken("claude", ["", "", "", "Four."]).slice(3)].map((play, copy) =>
      play.map((line): Step => Object.assign({}, line, { session_id: SESSION.replace(/.$/, `${copy}`) })),
    );
    const fleet = openSpoken("claude", plays, { policies: { retry: { retries: 1, firstDelayMs: 1 } } });
    const { result } = await fleet.finish("claude", { session: { fork: SESSION } });
    expect(result).toMatchObject({ text: "Four.", usage: ONE, costUsd: 4 * USD, costScope: "thread" });
  });

  it.each<JsonObject>([{}, { usage: { input_tokens: 0, output_tokens: 0 } }])("keeps a cost beside %j", async (counts) => {
    const fleet = openSpoken("claude", [claudeTurn("One.", { ...counts, total_cost_usd: USD })]);
    const { result } = await fleet.finish("claude");
    expect(result).toMatchObject({ costUsd: USD, usage: { estimated: true } });
    expect((await fleet.finish("claude", { budget: { usd: USD / 2 } })).result.text).toBe("One.");
  });
});

it("totals of a session are named on every door", async () => {
  const usage = { ...tokens(300, 60), scope: "thread" } as const;
  const report = { type: "usage", usage, costUsd: USD, costScope: "thread" } as const;
  const { client } = openFleet({ one: [[says("All."), { events: [report], end: { finish: "stop", answerId: "message" } }]] });
  const named = { usage_scope: "thread", cost_scope: "thread" };
  const chat = new ChatCli({ provider: "one", client });
  expect((await chat.invoke("How much?")).response_metadata).toMatchObject(named);
  let streamed: AIMessageChunk | undefined;
  for await (const chunk of await chat.stream("How much?")) streamed = streamed?.concat(chunk) ?? chunk;
  expect(streamed?.response_metadata).toMatchObject(named);
  const asked = { model: createCoxswain({ client })("one"), prompt: "How much?" };
  for (const { providerMetadata } of [(await generateText(asked)).finalStep, await streamText(asked).finalStep])
    expect(providerMetadata?.["coxswain"]).toMatchObject({ usageScope: "thread", costScope: "thread" });
  const spoken = await createAgent({ model: "cli:one", client }).ask("How much?").result();
  expect(spoken).toMatchObject({ usage: { scope: "thread" }, costScope: "thread" });
  const { headers } = await createGateway({ client, token: false }).fetch(chatRequest("one"));
  expect([headers.get("x-coxswain-usage-scope"), headers.get("x-coxswain-cost-scope")]).toEqual(["thread", "thread"]);
});

function chatRequest(model: string): Request {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "How much?" }] });
  return new Request("http://127.0.0.1/v1/chat/completions", {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
}
