import { expect, it } from "vitest";
import { FAILURE_CODES, type FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import type { Behaviour, RequestFacts } from "./model-call.ts";
import { createAbleClient, endOf, runDecided, shortEvents } from "./predict-decided.ts";
import { predictRun } from "./predict-run.ts";
import { isUndecided } from "./prediction.ts";
import { traitsOf } from "./repetition.ts";

const FAILING: Behaviour = { end: "overloaded", output: "nothing" };
const CODES = Object.keys(FAILURE_CODES).filter((code): code is FailureCode => code !== "total-timeout");

function delaysOf(retry: object, behaviour: Behaviour = FAILING, request: RequestFacts = {}): readonly string[] {
  const { events } = runDecided(createAbleClient({ retry }), { request, script: { a: [behaviour] } });
  return events.flatMap((event) => (event.type === "retry" ? [`${event.delayMs.min}-${event.delayMs.max}`] : []));
}

it("tries the same target again after a failure with `shouldRetry`, and after no other", () => {
  const retried = CODES.filter(
    (end) => runDecided(createAbleClient(), { script: { a: [{ end, output: "nothing" }] } }).events.length > 1,
  );
  expect(retried).toEqual(CODES.filter((code) => traitsOf(code).shouldRetry));
});

it("`retries` 2 (so at most three attempts)", () => {
  expect(runDecided(createAbleClient(), { script: { a: [FAILING] } }).processes).toEqual({ a: 3 });
});

it("the back-off is a random time between half and all of `min(longestDelayMs, firstDelayMs × 2^(n−1))`", () => {
  expect(delaysOf({ retries: 4, firstDelayMs: 500, longestDelayMs: 1500 })).toEqual([
    "250-500",
    "500-1000",
    "750-1500",
    "750-1500",
  ]);
});

it("the delay is the larger of what the failure states (`retryAfterMs`) and the back-off", () => {
  expect(delaysOf({ retries: 3, firstDelayMs: 500 }, { ...FAILING, retryAfterMs: 700 })).toEqual([
    "700-700",
    "700-1000",
    "1000-2000",
  ]);
});

it("it gives up when the retries are spent", () => {
  const run = runDecided(createAbleClient({ retry: { retries: 1 } }), {
    script: { a: [FAILING, FAILING, { end: "answer", output: "text" }] },
  });
  expect([run.processes, endOf(run)]).toEqual([{ a: 2 }, "overloaded"]);
});

it("it gives up when the delays of this target together would exceed `maxWaitMs`", () => {
  expect(delaysOf({ retries: 9, maxWaitMs: 2000 }, { ...FAILING, retryAfterMs: 1000 })).toEqual(["1000-1000", "1000-1000"]);
});

it("the delays of another target are counted by themselves", () => {
  const failing = [{ ...FAILING, retryAfterMs: 1000 }];
  const client = createAbleClient({ retry: { retries: 9, maxWaitMs: 1000 } });
  expect(
    runDecided(client, { targets: [{ provider: "a" }, { provider: "b" }], script: { a: failing, b: failing } }).processes,
  ).toEqual({
    a: 2,
    b: 2,
  });
});

it("a request may set its own `maxWaitMs`", () => {
  const behaviour = { ...FAILING, retryAfterMs: 1000 };
  expect(delaysOf({ retries: 9, maxWaitMs: 2000 }, behaviour, { maxWaitMs: 999 })).toEqual([]);
  expect(delaysOf({ retries: 9, firstDelayMs: 100, maxWaitMs: 0 }, behaviour, { maxWaitMs: 3000 })).toHaveLength(3);
});

it("it gives up when the delay would not end before `timeouts.totalMs` of the request", () => {
  const behaviour = { ...FAILING, retryAfterMs: 1000 };
  expect(delaysOf({}, behaviour, { totalMs: 1000 })).toEqual([]);
  expect(delaysOf({}, behaviour, { totalMs: 1001 })).toEqual(["1000-1000"]);
});

it("a `retry` event names the failed attempt (counted through the run), the delay and the failure", () => {
  const targets = [{ provider: "a" }, { provider: "b" }];
  const script = { a: [{ end: "crashed", output: "nothing" }], b: [FAILING, { end: "answer", output: "text" }] } as const;
  expect(runDecided(createAbleClient(), { targets, script }).events).toContainEqual({
    type: "retry",
    attempt: 2,
    code: "overloaded",
    delayMs: { min: 250, max: 500 },
  });
});

it("where the request chose an id (`session: { id }`) the next attempt gets a new one, and a warning `session-changed` names it", () => {
  const run = runDecided(createAbleClient(), { request: { session: { id: "s" } }, script: { a: [FAILING] } });
  expect(shortEvents(run)).toEqual([
    "attempt 1 a",
    "retry of 1 after overloaded",
    "session-changed",
    "attempt 2 a",
    "retry of 2 after overloaded",
    "session-changed",
    "attempt 3 a",
  ]);
});

it("a branch with a chosen id gets a new one too", () => {
  const run = runDecided(createAbleClient(), { request: { session: { fork: "s", id: "t" } }, script: { a: [FAILING] } });
  expect(shortEvents(run).filter((word) => word === "session-changed")).toHaveLength(2);
});

it.each([{ resume: "s" }, { fork: "s" }, { keep: true }] as const)(
  "`session: { resume }` is tried again as it is (%o)",
  (session) => {
    const run = runDecided(createAbleClient(), { request: { session }, script: { a: [FAILING] } });
    expect([run.processes, shortEvents(run).includes("session-changed")]).toEqual([{ a: 3 }, false]);
  },
);

it.each([
  ["maxWaitMs lies", { maxWaitMs: 300 }],
  ["totalMs lies", { totalMs: 300 }],
] as const)("when %s between the shortest and the longest delay, the outcome is undecided", (_what, request) => {
  const call = { targets: [{ provider: "a" }], request, reads: "result", script: { a: [FAILING] } } as const;
  expect(isUndecided(predictRun(createAbleClient(), call, 0))).toBe(true);
});
