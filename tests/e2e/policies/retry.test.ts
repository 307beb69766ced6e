import { expect, it } from "vitest";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode, type FailureCodeInfo } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, hangs, says, tokens } from "../../support/clis/plays.ts";
import { processesOfRun, untilFound } from "../../support/processes/process-scan.ts";
import { eventsOf, watchRun } from "../../support/runs/read-run.ts";

const CODES = Object.keys(FAILURE_CODES) as FailureCode[];

it("the traits of a failure decide whether the same target is tried again", async () => {
  const plays = Object.fromEntries(CODES.map((code) => [code, [fails(code)]]));
  const fleet = openFleet(plays, {
    policies: { retry: { retries: 1, firstDelayMs: 5 }, cooldown: false, limit: { perProvider: 1, total: 4 } },
  });
  const outcomes = await Promise.all(CODES.map((code) => fleet.run(code).outcome()));
  expect(outcomes.map(({ failure }) => failure?.code)).toEqual(CODES);
  const starts = Object.fromEntries(CODES.map((code) => [code, fleet.starts(code)]));
  expect(starts).toEqual(Object.fromEntries(CODES.map((code) => [code, traitsOf(code).shouldRetry ? 2 : 1])));
});

it("by default two retries follow the first attempt", async () => {
  const fleet = openFleet({ a: [fails("overloaded")] });
  const { events, end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "overloaded" });
  expect(fleet.starts("a")).toBe(3);
  expect(eventsOf(events, "attempt-start")).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
  expect(eventsOf(events, "retry")).toMatchObject([
    { attempt: 1, failure: { code: "overloaded", message: "This is overloaded." } },
    { attempt: 2, failure: { code: "overloaded" } },
  ]);
});

it.each([
  ["no retries", { retry: { retries: 0 } }],
  ["retry: false", { retry: false }],
  ["policies: false", false],
] as const)("with %s there is no retry", async (_name, policies) => {
  const fleet = openFleet({ a: [fails("overloaded"), answers("Too late.")] }, { policies });
  const { events, end, result } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "overloaded" });
  expect(fleet.starts("a")).toBe(1);
  expect(eventsOf(events, "retry")).toEqual([]);
  expect(result.attempts).toBeUndefined();
});

it("an answer after a retry is the answer of the run, and the attempts are in the result", async () => {
  const fleet = openFleet({ a: [fails("connection-lost"), answers("Here I am.")] });
  const { events, end, result } = await fleet.finish("a/big");
  expect(end).toMatchObject({ finish: "stop" });
  expect(end.failure).toBeUndefined();
  expect(result).toMatchObject({ text: "Here I am.", finish: "stop" });
  expect(result.failure).toBeUndefined();
  expect(result.attempts).toEqual([
    { provider: "a", model: "big", failure: expect.objectContaining({ code: "connection-lost" }) },
    { provider: "a", model: "big" },
  ]);
  expect(events.map(({ type }) => type).filter((type) => type !== "session-start")).toEqual([
    "run-start",
    "attempt-start",
    "retry",
    "attempt-start",
    "text-delta",
    "text-end",
    "usage",
    "run-end",
  ]);
});

it("result() rejects with the last failure and lists all attempts", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), fails("connection-lost"), fails("server-error")] });
  const error: unknown = await fleet
    .run("a")
    .result()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    failure: { code: "server-error" },
    result: { attempts: [{ failure: { code: "overloaded" } }, { failure: { code: "connection-lost" } }, { provider: "a" }] },
  });
});

it("there is no retry after a failure without shouldRetry, also after a retry", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), fails("not-logged-in"), answers("Too late.")] });
  const { end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "not-logged-in" });
  expect(fleet.starts("a")).toBe(2);
});

it("a crash is not retried", async () => {
  const fleet = openFleet({ a: [[{ do: "die", signal: "SIGKILL" }], answers("Too late.")] });
  const { end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "crashed" });
  expect(fleet.starts("a")).toBe(1);
});

it("tokens and costs of all attempts are added up", async () => {
  const first = { type: "usage", usage: tokens(10, 3), costUsd: 0.25 } as const;
  const fleet = openFleet({
    a: [fails("overloaded", {}, [{ events: [first] }]), answers("Done.", { usage: tokens(20, 5), costUsd: 0.5 })],
  });
  const { events, result } = await fleet.finish("a");
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 8, totalTokens: 38, estimated: false });
  expect(result.costUsd).toBe(0.75);
  expect(eventsOf(events, "usage").at(-1)).toMatchObject({ usage: { totalTokens: 38 }, costUsd: 0.75 });
});

it("the usage of failed attempts is reported also when no attempt answers", async () => {
  const spent = { type: "usage", usage: tokens(10, 3), costUsd: 0.25 } as const;
  const fleet = openFleet({ a: [fails("overloaded", {}, [{ events: [spent] }])] });
  const { result } = await fleet.finish("a");
  expect(result.usage).toMatchObject({ totalTokens: 39 });
  expect(result.costUsd).toBe(0.75);
});

it("several usage reports of one attempt are not added up", async () => {
  const reports = [tokens(5, 0), tokens(8, 1)].map((usage) => ({ type: "usage", usage, costUsd: 0.1 }) as const);
  const fleet = openFleet({
    a: [fails("overloaded", {}, [{ events: reports }]), answers("Done.", { usage: tokens(20, 1), costUsd: 0.25 })],
  });
  const { result } = await fleet.finish("a");
  expect(result.usage).toMatchObject({ inputTokens: 28, outputTokens: 2 });
  expect(result.costUsd).toBeCloseTo(0.35, 9);
});

it("keepEvents keeps the events of all attempts", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")]), answers("Whole.")] });
  const { events, result } = await fleet.finish("a", {}, { keepEvents: true, commit: "end" });
  expect(result.events).toEqual(events);
  expect(eventsOf(events, "attempt-start")).toHaveLength(2);
});

it("run-start carries the metadata once, and the process of each attempt carries the id of the run", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), [...hangs]] });
  const abort = new AbortController();
  const stream = fleet.run("a", { metadata: { ticket: 7 } }, { signal: abort.signal });
  const run = watchRun(stream);
  const runId = await run.begun;
  await expect.poll(() => fleet.starts("a"), { timeout: 20_000 }).toBe(2);
  await untilFound(() => processesOfRun(runId), 1);
  abort.abort();
  const { events } = await run.finished;
  expect(eventsOf(events, "run-start")).toMatchObject([{ runId, metadata: { ticket: 7 } }]);
});

function traitsOf(code: FailureCode): { readonly shouldRetry: boolean } {
  const info: FailureCodeInfo = FAILURE_CODES[code];
  // These two are never retried, whatever their category says.
  if (code === "queue-full" || code === "total-timeout") return { shouldRetry: false };
  return { ...FAILURE_TRAITS[info.category], ...info.traits };
}
