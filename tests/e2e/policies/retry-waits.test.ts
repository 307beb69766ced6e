import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SessionChoice } from "../../../src/spec/request.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, hangs, SESSION } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

it("delays lie between half and all of a time that doubles up to the longest", async () => {
  const fleet = openFleet(
    { a: [fails("overloaded")] },
    { policies: { retry: { retries: 4, firstDelayMs: 8, longestDelayMs: 20 } } },
  );
  const { events } = await fleet.finish("a");
  const delays = eventsOf(events, "retry").map(({ delayMs }) => delayMs);
  expect(delays).toHaveLength(4);
  for (const [index, most] of [8, 16, 20, 20].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(most / 2);
    expect(delays[index]).toBeLessThanOrEqual(most);
  }
});

it("delays are random", async () => {
  const policies = { retry: { retries: 6, firstDelayMs: 200, longestDelayMs: 200 } };
  const fleet = openFleet({ a: [fails("overloaded")] }, { policies });
  const { events } = await fleet.finish("a");
  expect(new Set(eventsOf(events, "retry").map(({ delayMs }) => delayMs)).size).toBeGreaterThan(1);
});

it("a wait that the CLI states is used if it is longer", async () => {
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 300 }), answers("Now.")] });
  const { events, result } = await fleet.finish("a");
  const retry = eventsOf(events, "retry")[0];
  const next = eventsOf(events, "attempt-start")[1];
  expect(retry).toMatchObject({ delayMs: 300, failure: { code: "rate-limited", retryAfterMs: 300 } });
  // A timer may be a millisecond early by the other clock.
  expect((next?.atMs ?? 0) - (retry?.atMs ?? 0)).toBeGreaterThanOrEqual(298);
  expect(result.text).toBe("Now.");
});

it("a wait that the CLI states does not shorten the back-off", async () => {
  const policies = { retry: { retries: 1, firstDelayMs: 100 } };
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 1 }), answers("Now.")] }, { policies });
  const { events } = await fleet.finish("a");
  expect(eventsOf(events, "retry")[0]?.delayMs).toBeGreaterThanOrEqual(50);
  expect(eventsOf(events, "retry")[0]?.delayMs).toBeLessThanOrEqual(100);
});

it.each([
  ["of the policy", { retry: { firstDelayMs: 5, maxWaitMs: 1000 } }, {}],
  ["of the request", {}, { maxWaitMs: 1000 }],
  ["of the request rather than of the policy", { retry: { firstDelayMs: 5, maxWaitMs: 90_000 } }, { maxWaitMs: 1000 }],
])("a wait longer than the maxWaitMs %s is not begun", async (_name, policies, request) => {
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 60_000 }), answers("Too late.")] }, { policies });
  const { events, end } = await fleet.finish("a", request);
  expect(end.failure).toMatchObject({ code: "rate-limited", retryAfterMs: 60_000 });
  expect(eventsOf(events, "retry")).toEqual([]);
  expect(fleet.starts("a")).toBe(1);
});

it("a request may set a longer maxWaitMs than the policy", async () => {
  const policies = { retry: { firstDelayMs: 50, maxWaitMs: 0 } };
  const fleet = openFleet({ a: [fails("overloaded"), answers("Now.")] }, { policies });
  expect((await fleet.finish("a", { maxWaitMs: 10_000 })).result.text).toBe("Now.");
});

it("the delays of a target count together", async () => {
  const policies = { retry: { retries: 5, firstDelayMs: 5, maxWaitMs: 250 } };
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 100 })] }, { policies });
  const { events } = await fleet.finish("a");
  expect(eventsOf(events, "retry").map(({ delayMs }) => delayMs)).toEqual([100, 100]);
  expect(fleet.starts("a")).toBe(3);
});

it("a delay that would not end before totalMs is not begun, and the failure stays what it is", async () => {
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 25_000 }), answers("Too late.")] });
  const { events, end } = await fleet.finish("a", { timeouts: { totalMs: 20_000 } });
  expect(end.failure).toMatchObject({ code: "rate-limited" });
  expect(eventsOf(events, "retry")).toEqual([]);
});

it("after the request's total-timeout there is no retry", async () => {
  const fleet = openFleet({ a: [hangs, answers("Too late.")], b: [answers("Instead.")] });
  const { events, end } = await fleet.finish(["a", "b"], { timeouts: { totalMs: 600 } });
  expect(end.failure).toMatchObject({ category: "timeout", code: "total-timeout" });
  expect(eventsOf(events, "retry")).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it("totalMs is one limit for all attempts and waits", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [{ do: "wait", ms: 4500 }]), hangs] });
  const { events, end } = await fleet.finish("a", { timeouts: { totalMs: 6000 } });
  expect(end.failure).toMatchObject({ code: "total-timeout" });
  expect(fleet.starts("a")).toBe(2);
  // If the time began again with the second attempt, it would not be over before 10500.
  expect(events.at(-1)?.atMs).toBeLessThan(10_500);
});

it("each retry gets a new session id where the request chose one, and a warning names it", async () => {
  const id = randomUUID();
  const fleet = openFleet({ a: [fails("overloaded"), fails("overloaded"), answers("Third.")] });
  const { events, result } = await fleet.finish("a", { session: { id } });
  const ids = fleet.calls("a").map(({ told }) => (told.session !== undefined && "id" in told.session ? told.session.id : ""));
  expect(ids[0]).toBe(id);
  expect(new Set(ids).size).toBe(3);
  for (const chosen of ids) expect(chosen).toMatch(UUID);
  const warnings = eventsOf(events, "warning");
  expect(warnings.map(({ code }) => code)).toEqual(["session-changed", "session-changed"]);
  expect(warnings[0]?.message).toContain(ids[1]);
  expect(warnings[1]?.message).toContain(ids[2]);
  expect(result.warnings).toHaveLength(2);
});

it("a fork with a chosen id gets a new one too", async () => {
  const [fork, id] = [randomUUID(), randomUUID()];
  const fleet = openFleet({ a: [fails("overloaded"), answers("Second.")] });
  const { result } = await fleet.finish("a", { session: { fork, id } });
  const [first, second] = fleet.calls("a").map(({ told }) => told.session);
  expect(first).toEqual({ fork, id });
  expect(second).toEqual({ fork, id: expect.stringMatching(UUID) });
  expect(second).not.toEqual(first);
  expect(result.warnings).toMatchObject([{ code: "session-changed" }]);
});

it.each<[string, SessionChoice]>([
  ["resumed", { resume: SESSION }],
  ["kept", { keep: true }],
  ["branched without a chosen id", { fork: randomUUID() }],
])("a session that is %s is requested again unchanged", async (_name, session) => {
  const fleet = openFleet({ a: [fails("overloaded"), answers("Second.")] });
  const { result } = await fleet.finish("a", { session });
  expect(result.failure).toBeUndefined();
  expect(fleet.calls("a").map(({ told }) => told.session)).toEqual([session, session]);
  expect(result.warnings).toEqual([]);
});
