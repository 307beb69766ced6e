import { expect, it } from "vitest";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { cooldownKey, type ModelClient, setProbed } from "./model-client.ts";
import { createAbleClient, endOf, runDecided } from "./predict-decided.ts";

const KEY = cooldownKey({ provider: "a" });

function createBreakingClient(failures = 2): ModelClient {
  return createAbleClient({ retry: { retries: 1, firstDelayMs: 0 }, cooldown: { failures, restMs: 1000, longestRestMs: 3000 } });
}

function runs(client: ModelClient, ...ends: readonly (readonly [number, "answer" | FailureCode])[]): readonly string[] {
  return ends.map(([now, end]) => endOf(runDecided(client, { script: { a: [{ end, output: "nothing" }] } }, now)));
}

function restOf(client: ModelClient): unknown {
  return client.memory.breakers.get(KEY)?.rest;
}

it("`failures` (default 5) runs in a row that end with `server` or `network`, retries included, close the provider for `restMs` (default 30,000)", () => {
  const client = createAbleClient({ retry: { firstDelayMs: 0 } });
  runs(client, [0, "server-error"], [0, "connection-failed"], [0, "overloaded"], [0, "connection-lost"]);
  expect(restOf(client)).toBeUndefined();
  runs(client, [0, "stream-diverged"]);
  expect(restOf(client)).toEqual({ ms: 30_000, until: { min: 30_000, max: 30_000 } });
});

it("runs then end at once with `cooling-down` and its `retryAfterMs`", () => {
  const client = createBreakingClient();
  runs(client, [0, "server-error"], [0, "server-error"]);
  const { outcome, processes, events } = runDecided(client, {}, 400);
  expect(outcome).toEqual({ answer: false, failure: { code: "cooling-down", retryAfterMs: { min: 600, max: 600 } } });
  expect([processes, events]).toEqual([{}, []]);
});

it("a provider that rests leads to the next target", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"]);
  const run = runDecided(client, { targets: [{ provider: "a" }, { provider: "b" }] }, 1);
  expect([endOf(run), run.processes]).toEqual(["answer", { b: 1 }]);
});

it("after the rest one run is let through as a probe", () => {
  expect(runs(createBreakingClient(1), [0, "server-error"], [999, "answer"], [1000, "answer"])).toEqual([
    "server-error",
    "cooling-down",
    "answer",
  ]);
});

it("while the probe is under way others still end with `cooling-down`", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"]);
  setProbed(client, KEY, true);
  expect(runs(client, [1000, "answer"], [5000, "answer"])).toEqual(["cooling-down", "cooling-down"]);
  setProbed(client, KEY, false);
  expect(runs(client, [5000, "answer"])).toEqual(["answer"]);
});

it("if the probe ends well the breaker is reset", () => {
  const client = createBreakingClient();
  runs(client, [0, "server-error"], [0, "server-error"], [1000, "server-error"], [3000, "answer"], [3000, "server-error"]);
  expect(client.memory.breakers.get(KEY)).toEqual({ failures: 1 });
  runs(client, [3000, "server-error"]);
  expect(restOf(client)).toEqual({ ms: 1000, until: { min: 4000, max: 4000 } });
});

it("if it ends with `server` or `network` the provider rests twice as long as before, at most `longestRestMs` (default 5 minutes)", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"], [1000, "connection-lost"]);
  expect(restOf(client)).toEqual({ ms: 2000, until: { min: 3000, max: 3000 } });
  runs(client, [3000, "server-error"]);
  expect(restOf(client)).toEqual({ ms: 3000, until: { min: 6000, max: 6000 } });
});

it("any other end counts for nothing and the next run is the probe", () => {
  const client = createBreakingClient(1);
  const ends = runs(client, [0, "server-error"], [1000, "refused"], [1000, "server-error"], [1001, "answer"]);
  expect(ends).toEqual(["server-error", "refused", "server-error", "cooling-down"]);
  expect(restOf(client)).toEqual({ ms: 2000, until: { min: 3000, max: 3000 } });
});

it("an answer sets the count back to 0", () => {
  const client = createBreakingClient();
  runs(client, [0, "server-error"], [0, "answer"], [0, "server-error"]);
  expect(restOf(client)).toBeUndefined();
});

it("failures of other categories neither count nor reset it", () => {
  const client = createBreakingClient();
  runs(client, [0, "server-error"], [0, "refused"], [0, "idle-timeout"], [0, "rate-limited"]);
  expect(restOf(client)).toBeUndefined();
  runs(client, [0, "server-error"]);
  expect(restOf(client)).toBeDefined();
});

it("a spent quota is checked before the breaker", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"]);
  client.quotaFiles.set(KEY, 500);
  expect(runs(client, [499, "answer"], [500, "answer"])).toEqual(["quota-exhausted", "cooling-down"]);
});

it("a run that a spent quota ends is no probe", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"], [1000, "quota-exhausted"], [1001, "answer"]);
  expect(restOf(client)).toEqual({ ms: 1000, until: { min: 1000, max: 1000 } });
});

it("a run that cooldown itself ends does not count", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"], [1, "answer"], [2, "answer"]);
  expect(client.memory.breakers.get(KEY)).toEqual({ failures: 1, rest: { ms: 1000, until: { min: 1000, max: 1000 } } });
});

it("the rest begins when the run ends, so that jitter makes its end uncertain", () => {
  const client = createAbleClient({ retry: { retries: 1, firstDelayMs: 100 }, cooldown: { failures: 1, restMs: 1000 } });
  runs(client, [0, "server-error"]);
  expect(restOf(client)).toEqual({ ms: 1000, until: { min: 1050, max: 1100 } });
});

it("a breaker is kept per provider and profile, and apart for an API key, but not per model", () => {
  const client = createBreakingClient(1);
  runs(client, [0, "server-error"]);
  expect(endOf(runDecided(client, { targets: [{ provider: "a", model: "other" }] }, 1))).toBe("cooling-down");
  expect(endOf(runDecided(client, { targets: [{ provider: "a", profile: "work" }] }, 1))).toBe("answer");
  expect(endOf(runDecided(client, { request: { auth: "api-key" } }, 1))).toBe("answer");
  expect(endOf(runDecided(client, { targets: [{ provider: "b" }] }, 1))).toBe("answer");
});
