import { expect, it } from "vitest";
import { ABLE } from "./able-provider.ts";
import type { Behaviour } from "./model-call.ts";
import { createModelClient } from "./model-client.ts";
import { createAbleClient, endOf, runDecided, shortEvents } from "./predict-decided.ts";

const TWO = [{ provider: "a" }, { provider: "b" }];
const ANSWER: Behaviour = { end: "answer", output: "text", usd: 0.5, tokens: 100 };
const FAILING: Behaviour = { end: "overloaded", output: "nothing", usd: 0.5, tokens: 100 };
const UNTOLD = { a: { ...ABLE, traits: { ...ABLE.traits, cost: false } } };

it.each([{ usd: 1 }, { tokens: 200 }])("`policies.budget` counts all runs of the client (%o)", (budget) => {
  const client = createAbleClient({ budget });
  const ends = [1, 2, 3].map(() => endOf(runDecided(client, { script: { a: [ANSWER] } })));
  expect(ends).toEqual(["answer", "answer", "budget-spent"]);
});

it("`wallMs` of the client counts from its creation", () => {
  const client = createAbleClient({ budget: { wallMs: 1000 } });
  expect([endOf(runDecided(client, {}, 999)), endOf(runDecided(client, {}, 1000))]).toEqual(["answer", "budget-spent"]);
});

it.each([{ usd: 1 }, { tokens: 200 }])("`request.budget` counts one run with all its attempts (%o)", (budget) => {
  const client = createAbleClient();
  const run = runDecided(client, { request: { budget }, script: { a: [FAILING] } });
  expect([endOf(run), run.processes]).toEqual(["budget-spent", { a: 2 }]);
  expect(endOf(runDecided(client, { request: { budget }, script: { a: [ANSWER] } }))).toBe("answer");
});

it.each([{ usd: 0 }, { tokens: 0 }, { wallMs: 0 }])(
  "a run that would start when a budget is already spent (spent ≥ budget) ends with `budget-spent` and nothing is started (%o)",
  (budget) => {
    for (const run of [runDecided(createAbleClient({ budget }), {}), runDecided(createAbleClient(), { request: { budget } })]) {
      expect([endOf(run), run.events, run.processes]).toEqual(["budget-spent", [], {}]);
    }
  },
);

it("a run that spends it is stopped with `budget-spent` as soon as that is known", () => {
  const script = { a: [{ ...ANSWER, reportedEarly: true }] };
  expect(endOf(runDecided(createAbleClient({ budget: { usd: 0.5 } }), { script }))).toBe("budget-spent");
  expect(endOf(runDecided(createAbleClient({ budget: { usd: 0.75 } }), { script }))).toBe("answer");
});

it("a run that spends it is not stopped when its answer is complete by then", () => {
  expect(endOf(runDecided(createAbleClient(), { request: { budget: { usd: 0.25 } }, script: { a: [ANSWER] } }))).toBe("answer");
});

it("no retry and no fallback follows", () => {
  const run = runDecided(createAbleClient(), { targets: TWO, request: { budget: { tokens: 100 } }, script: { a: [FAILING] } });
  expect([...shortEvents(run), endOf(run)]).toEqual(["attempt 1 a", "budget-spent"]);
});

it("a quota that is spent together with the budget is still remembered", () => {
  const script = { a: [{ ...FAILING, end: "quota-exhausted" }] } as const;
  const { quotas } = runDecided(createAbleClient(), { request: { budget: { tokens: 100 } }, script });
  expect(quotas).toHaveLength(1);
});

it("`wallMs` stops it at that time", () => {
  const script = { a: [{ ...FAILING, retryAfterMs: 5000 }] };
  const run = runDecided(createAbleClient(), { targets: TWO, request: { budget: { wallMs: 3000 } }, script });
  expect([...shortEvents(run), endOf(run)]).toEqual(["attempt 1 a", "retry of 1 after overloaded", "budget-spent"]);
  expect(run.elapsedMs).toEqual({ min: 3000, max: 3000 });
});

it("`wallMs` stops a process", () => {
  const script = { a: [{ ...ANSWER, durationMs: Number.POSITIVE_INFINITY }] };
  const run = runDecided(createAbleClient({ budget: { wallMs: 3000 } }), { targets: TWO, script }, 1000);
  expect([endOf(run), run.elapsedMs, run.processes]).toEqual(["budget-spent", { min: 2000, max: 2000 }, { a: 1 }]);
});

it("a CLI that does not report money cannot be held to `usd`: such a run gets a warning `cost-unknown`", () => {
  const client = createModelClient({ providers: UNTOLD, policies: { budget: { usd: 0.5 } }, now: 0 });
  for (const _run of [1, 2]) {
    const run = runDecided(client, { script: { a: [FAILING, ANSWER] } });
    expect([...shortEvents(run), endOf(run)]).toEqual([
      "attempt 1 a",
      "cost-unknown",
      "retry of 1 after overloaded",
      "attempt 2 a",
      "answer",
    ]);
  }
});

it("a run on several CLIs that do not report money gets that warning once", () => {
  const client = createModelClient({ providers: { ...UNTOLD, b: UNTOLD.a }, now: 0 });
  const script = { a: [{ end: "crashed", output: "nothing" }] } as const;
  const run = runDecided(client, { targets: TWO, request: { budget: { usd: 1 } }, script });
  expect(shortEvents(run)).toEqual(["attempt 1 a", "cost-unknown", "a to b after crashed", "attempt 2 b"]);
});

it("a CLI that does not report money gives no warning if only tokens are counted", () => {
  const client = createModelClient({ providers: UNTOLD, policies: { budget: { tokens: 500 } }, now: 0 });
  expect(shortEvents(runDecided(client, { script: { a: [ANSWER] } }))).toEqual(["attempt 1 a"]);
});
