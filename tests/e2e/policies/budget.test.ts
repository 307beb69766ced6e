import { expect, it } from "vitest";
import type { Budget } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { playedCli } from "../../support/clis/played-cli.ts";
import { answers, fails, hangs, type Play, says, spends, tokens } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const costly = { usage: tokens(10, 3), costUsd: 0.5 };

it.each<[string, Budget]>([
  ["tokens", { tokens: 20 }],
  ["money", { usd: 0.75 }],
])("the runs of a client share its budget of %s; when it is spent nothing is started", async (_name, budget) => {
  const fleet = openFleet({ a: [answers("Here.", costly)], b: [answers("There.", costly)] }, { policies: { budget } });
  expect((await fleet.finish("a")).result.text).toBe("Here.");
  expect((await fleet.finish("b")).result.text).toBe("There.");
  const { events, end } = await fleet.finish(["a", "b"]);
  expect(end).toMatchObject({ finish: "error", failure: { category: "validation", code: "budget-spent" } });
  expect(eventsOf(events, "fallback")).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 1]);
});

it.each<[string, Budget]>([
  ["tokens", { tokens: 13 }],
  ["money", { usd: 0.5 }],
])("a budget of %s that is spent exactly is spent", async (_name, budget) => {
  const fleet = openFleet({ a: [answers("Here.", costly)] }, { policies: { budget } });
  expect((await fleet.finish("a")).result.text).toBe("Here.");
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(1);
});

it.each<Budget>([{ tokens: 0 }, { usd: 0 }])("nothing is started on a budget of nothing: %j", async (budget) => {
  const fleet = openFleet({ a: [answers("Here.")] });
  expect((await fleet.finish("a", { budget })).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(0);
});

it.each<Budget>([{ tokens: -1 }, { usd: -1 }, { wallMs: -1 }])("a budget below nothing is a mistake: %j", async (budget) => {
  const fleet = openFleet({ a: [answers("Here.")] });
  expect((await fleet.finish("a", { budget })).end.failure).toMatchObject({
    code: "bad-request",
    message: expect.stringMatching(/^budget\.\w+ must be a number, at least zero, not -1\.$/),
  });
  expect(fleet.starts("a")).toBe(0);
});

it.each<[string, Budget]>([
  ["tokens", { tokens: 13 }],
  ["money", { usd: 0.5 }],
])("a run that spends its budget of %s midway is stopped", async (_name, budget) => {
  const midway: Play = [says("Half"), { events: [spends(costly)] }, ...hangs];
  const fleet = openFleet({ a: [midway, answers("Again.")], b: [answers("Instead.")] });
  const { end, result } = await fleet.finish(["a", "b"], { budget });
  expect(end).toMatchObject({ finish: "error", failure: { code: "budget-spent", partialText: "Half" } });
  expect(result).toMatchObject({ usage: { totalTokens: 13 }, costUsd: 0.5 });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it("the client's budget stops a run midway too", async () => {
  const fleet = openFleet(
    { a: [answers("Here.", costly), [{ events: [spends(costly)] }, ...hangs]] },
    { policies: { budget: { usd: 1 } } },
  );
  await fleet.finish("a");
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(2);
});

it("an answer that is complete is kept although it spent more than there was", async () => {
  const fleet = openFleet({ a: [answers("Here.", costly)] });
  const { end, result } = await fleet.finish("a", { budget: { tokens: 1, usd: 0.01 } });
  expect(end.failure).toBeUndefined();
  expect(result.text).toBe("Here.");
});

it("a report that grows is counted once", async () => {
  const growing: Play = [
    { events: [spends({ usage: tokens(5, 0) })] },
    { events: [spends({ usage: tokens(5, 2) })] },
    { do: "wait", ms: 300 },
  ];
  const fleet = openFleet(
    { a: [answers("Here.", { usage: tokens(5, 4), before: growing })] },
    { policies: { budget: { tokens: 10 } } },
  );
  expect((await fleet.finish("a", { budget: { tokens: 10 } })).result.text).toBe("Here.");
  await fleet.finish("a");
  expect(fleet.starts("a"), "9 of 10 were spent: the next run starts").toBe(2);
});

const SPENT_AND_FAILED: readonly (readonly [string, Play])[] = [
  ["in a line of its own before it", fails("overloaded", {}, [{ events: [spends(costly)] }])],
  ["a moment before it", fails("overloaded", {}, [{ events: [spends(costly)] }, { do: "wait", ms: 30 }])],
  ["in the same line", [{ events: [spends(costly)], end: { finish: "error", fault: { message: "No.", kind: "overloaded" } } }]],
  ["right before a death", [{ events: [spends(costly)] }, { do: "die", signal: "SIGKILL" }]],
  ["right before the CLI ended without a word", [{ events: [spends(costly)] }]],
];

it.each(SPENT_AND_FAILED)("the failure of a run that spent the budget %s is replaced by budget-spent", async (_name, play) => {
  const fleet = openFleet({ a: [play, answers("Again.")], b: [answers("Instead.")] });
  const { events, end } = await fleet.finish(["a", "b"], { budget: { tokens: 13 } });
  expect(end.failure).toMatchObject({ code: "budget-spent" });
  expect([...eventsOf(events, "retry"), ...eventsOf(events, "fallback")]).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it.each(SPENT_AND_FAILED)("the same holds without any other policy when it was spent %s", async (_name, play) => {
  const fleet = openFleet({ a: [play] }, { policies: false });
  expect((await fleet.finish("a", { budget: { tokens: 13 } })).end.failure).toMatchObject({ code: "budget-spent" });
});

it("all attempts of a run count together", async () => {
  const dear = fails("overloaded", {}, [{ events: [spends(costly)] }]);
  const fleet = openFleet({ a: [dear], b: [dear, answers("Too dear.")] });
  const { end, result } = await fleet.finish(["a", "b"], { budget: { tokens: 4 * 13 } });
  expect(end.failure).toMatchObject({ code: "budget-spent" });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([3, 1]);
  expect(result.usage).toMatchObject({ totalTokens: 4 * 13 });
});

it("the budget of a request applies to its run only", async () => {
  const fleet = openFleet({ a: [answers("Here.", costly)] });
  for (let run = 0; run < 3; run += 1) expect((await fleet.finish("a", { budget: { tokens: 13 } })).result.text).toBe("Here.");
});

it("the stricter of both budgets holds", async () => {
  const fleet = openFleet({ a: [[{ events: [spends(costly)] }, ...hangs]] }, { policies: { budget: { tokens: 1000 } } });
  expect((await fleet.finish("a", { budget: { tokens: 5 } })).end.failure).toMatchObject({ code: "budget-spent" });
});

it.each([
  ["policies: false", false],
  ["policies.budget: false", { budget: false }],
] as const)("the budget of a request counts also with %s", async (_name, policies) => {
  const fleet = openFleet({ a: [[{ events: [spends(costly)] }, ...hangs]] }, { policies });
  expect((await fleet.finish("a", { budget: { tokens: 5 } })).end.failure).toMatchObject({ code: "budget-spent" });
  expect((await fleet.finish("a", { budget: { tokens: 0 } })).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(1);
});

it("tokens that the CLI did not report are estimated and counted", async () => {
  const end = { finish: "stop", answerId: "message" } as const;
  const unreported: Play = [says("x".repeat(400)), { events: [{ type: "text-end", messageId: "message" }], end }];
  const fleet = openFleet({ a: [unreported] }, { policies: { budget: { tokens: 90 } } });
  const { result } = await fleet.finish("a");
  expect(result.usage).toMatchObject({ estimated: true, outputTokens: 100 });
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "budget-spent" });
});

it("the usd budget has no effect on a CLI that does not report costs, and there is a warning", async () => {
  const changes = { b: { traits: { ...playedCli.traits, cost: false } } };
  const fleet = openFleet(
    { a: [fails("model-unknown", {}, [{ events: [spends({ costUsd: 0.01 })] }])], b: [answers("Free?")] },
    { changes },
  );
  const { events, result } = await fleet.finish("b", { budget: { usd: 1 } });
  expect(result.text).toBe("Free?");
  expect(eventsOf(events, "warning")).toMatchObject([{ code: "cost-unknown" }]);
  const chain = await fleet.finish(["a", "b"], { budget: { usd: 1 } });
  expect(chain.result.warnings.map(({ code }) => code)).toEqual(["cost-unknown"]);
});

it("there is no such warning when costs are reported or not limited", async () => {
  const changes = { b: { traits: { ...playedCli.traits, cost: false } } };
  const fleet = openFleet({ a: [answers("Paid.", costly)], b: [answers("Free?")] }, { changes });
  expect((await fleet.finish("a", { budget: { usd: 1 } })).result.warnings).toEqual([]);
  expect((await fleet.finish("b", { budget: { tokens: 1000 } })).result.warnings).toEqual([]);
  expect((await fleet.finish("b")).result.warnings).toEqual([]);
});

it.each([
  ["two answers", { tokens: 20 }, 2],
  ["one answer", { tokens: 13 }, 1],
])("a budget that %s without the wanted object used up stops the run before the next attempt", async (_what, budget, starts) => {
  const outputSchema = { type: "object", required: ["city"] };
  const wrong = answers("No object.", costly);
  const fleet = openFleet({ a: [wrong, wrong], b: [answers('{"city":"Oslo"}', costly)] });
  const { events, end } = await fleet.finish(["a", "b"], { outputSchema, budget });
  expect(end.failure).toMatchObject({ code: "budget-spent" });
  expect(eventsOf(events, "fallback")).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([starts, 0]);
});
