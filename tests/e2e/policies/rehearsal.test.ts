import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Client, createClient, type PolicyOptions } from "../../../src/index.ts";
import { WEATHER } from "../../support/clis/call-blocks.ts";
import { checkAttempts } from "../../support/runs/check-attempts.ts";
import { eventsOf, finishRun } from "../../support/runs/read-run.ts";
import { openTestScope } from "../../support/test-scope.ts";

const QUICK: PolicyOptions = { retry: { firstDelayMs: 5, retries: 1 } };

it("a rate limit is retried, then the next model answers, as one run", async () => {
  const { events, end } = await finishRun(open(QUICK).run(["rehearsal/rate-limit", "rehearsal/friendly"], { prompt: "Hello" }));
  checkAttempts(events);
  expect(end.failure).toBeUndefined();
  expect(eventsOf(events, "attempt-start").map(({ model, attempt }) => [model, attempt])).toEqual([
    ["rate-limit", 1],
    ["rate-limit", 2],
    ["friendly", 3],
  ]);
  expect(eventsOf(events, "retry")).toMatchObject([{ attempt: 1, failure: { code: "rate-limited" } }]);
  expect(eventsOf(events, "fallback")).toMatchObject([
    { from: "rehearsal", fromModel: "rate-limit", to: "rehearsal", toModel: "friendly", failure: { code: "rate-limited" } },
  ]);
});

it("half an answer that was not read is reset, and the next model answers", async () => {
  const request = { prompt: "Hello", session: { keep: true } } as const;
  const stream = open(QUICK).run(["rehearsal/crash", "rehearsal/friendly"], request, { keepEvents: true });
  const result = await stream.result();
  expect(result.text).toContain("You asked: “Hello”");
  expect(result.attempts).toMatchObject([{ model: "crash", failure: { code: "crashed" } }, { model: "friendly" }]);
  checkAttempts(result.events ?? []);
  expect(eventsOf(result.events ?? [], "text-reset")).toHaveLength(1);
});

it("after half an answer that was read there is no fallback", async () => {
  const { events, end } = await finishRun(open(QUICK).run(["rehearsal/crash", "rehearsal/friendly"], { prompt: "Hello" }));
  expect(end.failure).toMatchObject({ code: "crashed", partialText: expect.stringContaining("You asked") });
  expect(eventsOf(events, "fallback")).toEqual([]);
});

it("after a tool has run there is no fallback, also when only the result is read", async () => {
  const request = { prompt: "What time is it?", mode: "agent", cwd: process.cwd(), timeouts: { totalMs: 20_000 } } as const;
  const result = await open(QUICK).run(["rehearsal/tool", "rehearsal/friendly"], request).outcome();
  expect(result.failure).toBeUndefined();
  expect(result.toolCalls).toMatchObject([{ name: "Clock" }]);
  expect(result.attempts).toBeUndefined();
});

it("host tools are called by the model that answers", async () => {
  const request = { prompt: "What is the weather in Oslo?", tools: [WEATHER] };
  const result = await open(QUICK).run(["rehearsal/not-there", "rehearsal/tool-caller"], request).result();
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "get_weather" }] });
  expect(result.attempts).toMatchObject([{ failure: { code: "model-unknown" } }, { model: "tool-caller" }]);
});

it("a missing login leads to the next target only with onAuthentication", async () => {
  const targets = ["rehearsal/not-logged-in", "rehearsal/friendly"];
  const refused = await open(QUICK).run(targets, { prompt: "Hello" }).outcome();
  expect(refused.failure).toMatchObject({ code: "not-logged-in" });
  const led = await open({ ...QUICK, fallback: { onAuthentication: true } })
    .run(targets, { prompt: "Hello" })
    .outcome();
  expect(led.failure).toBeUndefined();
});

it("a used-up quota applies to every model of the account", async () => {
  const client = open(QUICK);
  const { events, end } = await finishRun(client.run(["rehearsal/quota", "rehearsal/friendly"], { prompt: "Hello" }));
  expect(end.failure).toMatchObject({ code: "quota-exhausted" });
  expect(eventsOf(events, "session-start")).toHaveLength(1);
  expect(client.spentQuotas()).toMatchObject([
    { provider: "rehearsal", isPresumed: true, message: expect.stringContaining("Credit") },
  ]);
  client.forgetQuotas();
  expect((await client.run("rehearsal/friendly", { prompt: "Hello" }).outcome()).failure).toBeUndefined();
});

function open(policies: PolicyOptions): Client {
  const { directory, env } = openTestScope();
  const client = createClient({ policies, env: { ...env, HOME: join(directory, "home") } });
  onTestFinished(() => client.close());
  return client;
}
