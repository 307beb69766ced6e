import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const SKY = 'The sky is blue because air scatters short waves: 光の散乱, \u2028 \u0007 and <b>no</b> \\n "quotes" 🌌.';

describe.each(["claude", "codex"] as const)("the text of real %s", (name) => {
  it(`${name} answers with the text of the model, byte for byte, and with its usage, without a session that is not stored`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: SKY, deltas: 4 });
    const { result } = await cli.run({ prompt: "Why is the sky blue?" });
    expect(result).toMatchObject({ text: SKY, finish: "stop", toolCalls: [], permissionDenials: [], warnings: [] });
    expect(result.usage).toMatchObject({ estimated: false, scope: "turn" });
    expect(result.sessionId).toBeUndefined();
  });

  it(`${name} sends one request, and the prompt reaches the model byte for byte`, async () => {
    const cli = await openRealCli(name);
    await cli.run({ prompt: SKY });
    const requests = modelRequestsOf(cli);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.user.filter((text) => text.includes("scatters"))).toEqual([SKY]);
  });

  it(`the events of ${name} come in the order run, attempt, session, text, usage, end`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: "One message.", deltas: 3 });
    const { events, end } = await cli.run({ prompt: "Say one message." });
    const order = events.map((event) => event.type).filter((type, index, types) => type !== types[index - 1]);
    expect(order).toEqual(["run-start", "attempt-start", "session-start", "text-delta", "text-end", "usage", "run-end"]);
    expect(end).toMatchObject({ finish: "stop", answerId: messageIdsOf(events).at(-1) });
    expect(events.map((event) => event.atMs)).toEqual(events.map((event) => event.atMs).toSorted((one, other) => one - other));
  });

  it(`${name} reports the reasoning of the model before its text and separately`, async () => {
    const cli = await openRealCli(name, { kind: "reasoning", reasoning: "First I look up.", text: "It is blue." });
    const run = await cli.run({ prompt: "Why is the sky blue?" });
    const reasoning = eventsOf(run, "reasoning-delta");
    expect(reasoning.map((event) => event.text).join("")).toBe("First I look up.");
    expect(run.result.text).toBe("It is blue.");
    const lastThought = reasoning.at(-1)?.seq ?? Number.NaN;
    expect(lastThought).toBeLessThan(eventsOf(run, "text-delta")[0]?.seq ?? Number.NaN);
  });

  it(`an empty answer of ${name} is an answer without text`, async () => {
    const cli = await openRealCli(name, { kind: "empty" });
    const run = await cli.run({ prompt: "Say nothing." });
    expect(run.failure).toBeUndefined();
    expect(run.end).toMatchObject({ finish: "stop" });
    expect(run.end).not.toHaveProperty("answerId");
    expect(run.result.text).toBe("");
    expect(eventsOf(run, "text-delta")).toEqual([]);
  });
});

it("claude's text comes in the model's pieces", async () => {
  const deltas = ["The ", "sky ", "is ", "blue."];
  const cli = await openRealCli("claude", { kind: "text", text: deltas.join(""), deltas });
  const run = await cli.run({ prompt: "Why is the sky blue?" });
  expect(eventsOf(run, "text-delta").map((event) => event.text)).toEqual(deltas);
});

it("claude's text arrives while the model is still streaming", async () => {
  const cli = await openRealCli("claude", { kind: "stall", afterText: "Half an answer" });
  let heard = "";
  const run = await cli.run(
    { prompt: "Why is the sky blue?" },
    {
      onEvent: (event, stream) => {
        if (event.type === "text-delta") heard += event.text;
        if (heard === "Half an answer") stream.interrupt();
      },
    },
  );
  expect(run.failure).toMatchObject({ category: "cancelled", code: "interrupted", partialText: "Half an answer" });
  expect(eventsOf(run, "text-end")).toEqual([]);
});

it("claude's pieces of text are delivered one after another, not together at the end", async () => {
  const cli = await openRealCli("claude", {
    kind: "text",
    text: "one two three",
    deltas: ["one ", "two ", "three"],
    delayMs: 700,
  });
  const run = await cli.run({ prompt: "Count slowly." });
  const times = eventsOf(run, "text-delta").map((event) => event.atMs);
  expect(times).toHaveLength(3);
  expect(times[0]).toBeLessThan(times[2] ?? Number.NaN);
});

it("codex gives a whole message, however the model streams it", async () => {
  const cli = await openRealCli("codex", { kind: "text", text: "The sky is blue.", deltas: 8 });
  const run = await cli.run({ prompt: "Why is the sky blue?" });
  expect(eventsOf(run, "text-delta").map((event) => event.text)).toEqual(["The sky is blue."]);
});

function messageIdsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "text-end" ? [event.messageId] : []));
}
