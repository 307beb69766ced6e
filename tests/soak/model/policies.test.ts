import { expect, it } from "vitest";
import { toPolicies } from "./policies.ts";
import { createAbleClient, endOf, runDecided, shortEvents } from "./predict-decided.ts";

const TWO = [{ provider: "a" }, { provider: "b" }];

it("`policies: false` switches all of them off", () => {
  const off = { retry: false, fallback: false, cooldown: false, limit: false, budget: false };
  expect(toPolicies(false)).toEqual(off);
  const client = createAbleClient(false);
  const script = { a: [{ end: "server-error", output: "nothing" }] } as const;
  const run = runDecided(client, { targets: TWO, script });
  expect([shortEvents(run), endOf(run)]).toEqual([["attempt 1 a"], "server-error"]);
});

it.each([false, { budget: false }] as const)(
  "a budget that a request brings along counts in any case (policies %o)",
  (policies) => {
    expect(endOf(runDecided(createAbleClient(policies), { request: { budget: { tokens: 0 } } }))).toBe("budget-spent");
    const script = { a: [{ end: "answer", output: "text", durationMs: 2000 }] } as const;
    expect(endOf(runDecided(createAbleClient(policies), { request: { budget: { wallMs: 1000 } }, script }))).toBe("budget-spent");
  },
);

it.each(["retry", "fallback", "cooldown", "limit", "budget"] as const)("each one can be `false` by itself: %s", (policy) => {
  const policies = toPolicies({ [policy]: false });
  expect(Object.entries(policies).flatMap(([name, value]) => (value === false ? [name] : []))).toEqual([policy]);
});

it("without options retry, cooldown and limit work with the defaults below", () => {
  expect(toPolicies()).toMatchObject({
    retry: { retries: 2, firstDelayMs: 500, longestDelayMs: 30_000, maxWaitMs: 60_000 },
    cooldown: { failures: 5, restMs: 30_000, longestRestMs: 300_000, quotaMs: 300_000 },
    limit: { perProvider: 8, total: 16, queue: 256 },
  });
});

it("without options fallback walks the targets that are given, and there is no budget", () => {
  const script = {
    a: [{ end: "crashed", output: "nothing" }],
    b: [{ end: "answer", output: "text", usd: 1e9, tokens: 1e9 }],
  } as const;
  const client = createAbleClient();
  for (const _run of [1, 2]) {
    const run = runDecided(client, { targets: TWO, script });
    expect([shortEvents(run), endOf(run)]).toEqual([["attempt 1 a", "a to b after crashed", "attempt 2 b"], "answer"]);
  }
});

it("an option that is given replaces its default and no other", () => {
  expect(toPolicies({ retry: { retries: 0 } }).retry).toEqual({
    retries: 0,
    firstDelayMs: 500,
    longestDelayMs: 30_000,
    maxWaitMs: 60_000,
  });
});

it("`attempt` counts all attempts of the run from 1", () => {
  const script = { a: [{ end: "overloaded", output: "nothing" }] } as const;
  expect(shortEvents(runDecided(createAbleClient({ retry: { retries: 1 } }), { targets: TWO, script }))).toEqual([
    "attempt 1 a",
    "retry of 1 after overloaded",
    "attempt 2 a",
    "a to b after overloaded",
    "attempt 3 b",
  ]);
});

it("usage is added up over attempts", () => {
  const failing = { end: "overloaded", output: "nothing", tokens: 10, usd: 0.25 } as const;
  const script = { a: [failing], b: [{ end: "answer", output: "text", tokens: 5, usd: 0.5 }] } as const;
  const { tokens, usd, processes } = runDecided(createAbleClient(), { targets: TWO, script });
  expect({ tokens, usd, processes }).toEqual({ tokens: 35, usd: 1.25, processes: { a: 3, b: 1 } });
});

it("cancelling ends any wait at once, with `cancelled` / `interrupted`", () => {
  const script = { a: [{ end: "overloaded", output: "nothing" }] } as const;
  const run = runDecided(createAbleClient(), { targets: TWO, script, cancelAtRetryOf: 2 });
  expect(endOf(run)).toBe("interrupted");
  expect(shortEvents(run).at(-1)).toBe("retry of 2 after overloaded");
  expect(run.elapsedMs).toEqual({ min: 250, max: 500 });
});
