import { expect, it } from "vitest";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, hangs, says } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { watchWaiting } from "./waiting.ts";

it("wallMs stops a run at that time, and neither retry nor fallback follows", async () => {
  const fleet = openFleet({ a: [[says("Half"), ...hangs]], b: [answers("Instead.")] });
  const { events, end } = await fleet.finish(["a", "b"], { budget: { wallMs: 1000 } });
  expect(end).toMatchObject({ finish: "error", failure: { code: "budget-spent" } });
  expect(events.at(-1)?.atMs).toBeGreaterThanOrEqual(995);
  expect([...eventsOf(events, "retry"), ...eventsOf(events, "fallback")]).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it("wallMs is one limit for all attempts", async () => {
  const fleet = openFleet({ a: [fails("model-unknown", {}, [{ do: "wait", ms: 4500 }])], b: [hangs] });
  const { events, end } = await fleet.finish(["a", "b"], { budget: { wallMs: 6000 } });
  expect(end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("b")).toBe(1);
  // If the time began again with the second attempt, it would not be over before 10500.
  expect(events.at(-1)?.atMs).toBeLessThan(10_500);
});

it("wallMs ends a run that waits for its retry", async () => {
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 50_000 })] });
  const { events, end } = await fleet.finish("a", { budget: { wallMs: 1500 } });
  expect(end.failure).toMatchObject({ code: "budget-spent" });
  expect(eventsOf(events, "attempt-start")).toHaveLength(1);
});

it("wallMs ends a run that waits in the queue", async () => {
  const fleet = openFleet({ a: [hangs] }, { policies: { limit: { perProvider: 1 } } });
  const first = watchWaiting(fleet.run("a"));
  await first.begun;
  expect((await fleet.finish("a", { budget: { wallMs: 300 } })).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(1);
  first.stream.interrupt();
  await first.finished;
});

it("wallMs of a client counts from its creation, over all its runs", async () => {
  const fleet = openFleet({ a: [hangs] }, { policies: { budget: { wallMs: 1200 } } });
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "budget-spent" });
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(1);
});

it("a run within its time is not touched, and leaves no timer", async () => {
  const fleet = openFleet({ a: [answers("In time.")] });
  const before = timers();
  expect((await fleet.finish("a", { budget: { wallMs: 600_000 } })).result.text).toBe("In time.");
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before);
});

it("wallMs counts with policies: false too", async () => {
  const fleet = openFleet({ a: [hangs] }, { policies: false });
  expect((await fleet.finish("a", { budget: { wallMs: 800 } })).end.failure).toMatchObject({ code: "budget-spent" });
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}
