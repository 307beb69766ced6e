import { expect, it } from "vitest";
import { ABLE } from "./able-provider.ts";
import type { ModelCall } from "./model-call.ts";
import { createModelClient } from "./model-client.ts";
import { createAbleClient, endOf, runDecided } from "./predict-decided.ts";
import { predictRun } from "./predict-run.ts";
import { isUndecided } from "./prediction.ts";

const CALL: ModelCall = {
  targets: [{ provider: "a" }],
  request: {},
  reads: "result",
  script: { a: [{ end: "quota-exhausted", output: "nothing", resetAt: 500, tokens: 3 }] },
};

it("a prediction changes neither the client nor the files", () => {
  const client = createAbleClient({ budget: { tokens: 3 } });
  const before = structuredClone(client);
  predictRun(client, CALL, 0);
  expect(client).toEqual(before);
});

it("clients that share files share only the content of the files", () => {
  const files = new Map<string, number>();
  const [one, other] = [createAbleClient({ budget: { tokens: 3 } }, files), createAbleClient({ budget: { tokens: 3 } }, files)];
  runDecided(one, CALL);
  expect([endOf(runDecided(one, {}, 500)), endOf(runDecided(other, {}, 499)), endOf(runDecided(other, {}, 500))]).toEqual([
    "budget-spent",
    "quota-exhausted",
    "answer",
  ]);
});

it("an outcome that depends on the duration of a process is undecided", () => {
  const client = createModelClient({ providers: { a: ABLE }, now: 0, slackMs: 100 });
  const call = { ...CALL, script: { a: [{ end: "answer", output: "text" }] } } as const;
  expect(isUndecided(predictRun(client, { ...call, request: { totalMs: 100 } }, 0))).toBe(true);
  expect(isUndecided(predictRun(client, { ...call, request: { totalMs: 101 } }, 0))).toBe(false);
});

it("an outcome is undecided when two clocks that end a run differently have the same time", () => {
  const call: ModelCall = { ...CALL, request: { totalMs: 1000, budget: { wallMs: 1000 } }, script: {} };
  expect(isUndecided(predictRun(createAbleClient(), call, 0))).toBe(true);
});

it("after its script a provider repeats its last behaviour, and without a script it answers", () => {
  const script = { a: [{ end: "overloaded", output: "nothing" }] } as const;
  expect(runDecided(createAbleClient({ retry: { retries: 5, firstDelayMs: 0 } }), { script }).processes).toEqual({ a: 6 });
  expect(endOf(runDecided(createAbleClient(), {}))).toBe("answer");
});

it("a failed spawn is an attempt without a process, and is retried if its code allows it", () => {
  const script = { a: [{ end: "start-failed", output: "nothing", at: "spawn" }] } as const;
  const { events, processes } = runDecided(createAbleClient(), { script });
  expect([events.filter(({ type }) => type === "attempt-start").length, processes]).toEqual([3, {}]);
});

it("an impossible script is refused", () => {
  const endless = { a: [{ end: "total-timeout", output: "nothing" }] } as const;
  expect(() => predictRun(createAbleClient(), { ...CALL, script: endless }, 0)).toThrow(RangeError);
  const unstarted = { a: [{ end: "answer", output: "text", at: "spawn" }] } as const;
  expect(() => predictRun(createAbleClient(), { ...CALL, script: unstarted }, 0)).toThrow(RangeError);
  expect(() => predictRun(createAbleClient(), { ...CALL, targets: [] }, 0)).toThrow(RangeError);
});
