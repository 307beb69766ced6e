import { expect, it } from "vitest";
import type { LimitOptions } from "../../../src/spec/client-options.ts";
import type { BurstCall, BurstPrediction, BurstStep } from "./burst.ts";
import { predictBurst } from "./predict-burst.ts";
import { createAbleClient } from "./predict-decided.ts";
import { UndecidedError } from "./range.ts";

function burst(
  limit: LimitOptions | false,
  calls: readonly (string | BurstCall)[],
  steps: readonly BurstStep[] = [],
): BurstPrediction {
  const made = calls.map((call) => (typeof call === "string" ? { id: call, provider: call.slice(0, 1) } : call));
  return predictBurst(createAbleClient({ limit }), made, steps);
}

function many(provider: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${provider}${index}`);
}

it("at most `perProvider` (default 8) runs of one provider at once", () => {
  expect(burst({}, many("a", 10)).moments[0]?.started).toEqual(many("a", 8));
});

it("at most `total` (default 16) of all at once", () => {
  const { moments } = burst({}, [...many("a", 8), ...many("b", 7), ...many("c", 3)]);
  expect(moments[0]?.started).toHaveLength(16);
  expect(moments[0]?.moved).toEqual([
    { id: "c1", position: 1 },
    { id: "c2", position: 2 },
  ]);
});

it("at most `queue` (default 256) more wait", () => {
  const { moments } = burst({}, many("a", 8 + 256 + 1));
  expect(moments[0]?.moved).toHaveLength(256);
  expect(moments[0]?.refused).toEqual([{ id: "a264", code: "queue-full", queueLength: 256 }]);
});

it("when the queue is full the run ends at once with `queue-full`, whose message names the length of the queue", () => {
  const { moments } = burst({ perProvider: 1, queue: 1 }, ["a1", "a2", "a3", "b1"]);
  expect(moments).toEqual([
    { started: ["a1", "b1"], refused: [{ id: "a3", code: "queue-full", queueLength: 1 }], moved: [{ id: "a2", position: 1 }] },
  ]);
});

it("the run that has waited longest and whose provider has a place goes first", () => {
  const { moments } = burst({ perProvider: 1, total: 2 }, ["a1", "b1", "a2", "c1", "a3"], [{ ended: "b1" }, { ended: "a1" }]);
  expect(moments.map(({ started }) => started)).toEqual([["a1", "b1"], ["c1"], ["a2"]]);
});

it("a busy provider does not hold up the others", () => {
  const { moments } = burst({ perProvider: 1, total: 3 }, ["a1", "a2", "a3", "b1"]);
  expect(moments[0]?.started).toEqual(["a1", "b1"]);
});

it("a waiting run reports its place by `queue-wait` (`position`, from 1, among all that wait), at the beginning and then at most once a second, if it has changed", () => {
  const steps = [{ ended: "b1" }, { ended: "a1" }, { ended: "a2" }];
  const { moments, positions } = burst({ perProvider: 1, total: 2 }, ["a1", "b1", "a2", "b2", "a3"], steps);
  expect(positions).toEqual({ a2: [1], b2: [2], a3: [3, 2, 1] });
  expect(moments[1]).toEqual({ started: ["b2"], refused: [], moved: [{ id: "a3", position: 2 }] });
});

it("so does one that has waited for `maxWaitMs`", () => {
  const patient = { id: "a2", provider: "a", maxWaitMs: 1000 };
  const steps = [{ passedMs: 999 }, { passedMs: 1 }];
  const { moments } = burst({ perProvider: 1 }, ["a1", patient, "a3"], steps);
  expect(moments.map(({ refused }) => refused)).toEqual([[], [], [{ id: "a2", code: "queue-full" }]]);
  expect(moments[2]?.moved).toEqual([{ id: "a3", position: 1 }]);
});

it("a place is free again when the run that had it is over", () => {
  const { moments } = burst({ perProvider: 1 }, ["a1", "a2"], [{ ended: "a1" }]);
  expect(moments[1]?.started).toEqual(["a2"]);
});

it("waiting counts for `timeouts.totalMs` of the request: when that is over the run ends with `total-timeout`", () => {
  const { moments } = burst(
    { perProvider: 1 },
    ["a1", { id: "a2", provider: "a", totalMs: 500, maxWaitMs: 900 }],
    [{ passedMs: 500 }],
  );
  expect(moments[1]?.refused).toEqual([{ id: "a2", code: "total-timeout" }]);
});

it("cancelling ends the wait at once, and those behind move up", () => {
  const { moments } = burst({ perProvider: 1 }, ["a1", "a2", "a3"], [{ cancelled: "a2" }]);
  expect(moments[1]).toEqual({ started: [], refused: [{ id: "a2", code: "interrupted" }], moved: [{ id: "a3", position: 1 }] });
});

it("without a limit all start at once", () => {
  expect(burst(false, many("a", 300)).moments[0]?.started).toHaveLength(300);
});

it("when both clocks of a waiting run end together, the outcome is undecided", () => {
  const call = { id: "a2", provider: "a", maxWaitMs: 5, totalMs: 5 };
  expect(() => burst({ perProvider: 1 }, ["a1", call], [{ passedMs: 5 }])).toThrow(UndecidedError);
});
