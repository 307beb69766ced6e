import { expect, it } from "vitest";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, answersWhenTold, FOREVER } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { type WaitingRun, watchWaiting } from "./waiting.ts";

it("when the queue is full a run ends at once, and the message names its length", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { perProvider: 1, queue: 3 } } });
  const first = await begin(fleet);
  const waiting = await queue(fleet, 3);
  const { events, end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ category: "rate_limit", code: "queue-full", message: expect.stringMatching(/\b3\b/) });
  expect(eventsOf(events, "queue-wait")).toEqual([]);
  expect(eventsOf(events, "retry")).toEqual([]);
  expect(fleet.starts("a")).toBe(1);
  fleet.tell("a", "go");
  await Promise.all([first, ...waiting].map((run) => run.finished));
});

it("a full queue states a wait that grows with the queue and with the time of a run", async () => {
  const plays = [answers("First.", { before: [{ do: "wait", ms: 1000 }] }), answersWhenTold("go")];
  const fleet = openFleet({ a: plays }, { policies: { limit: { perProvider: 1, queue: 6 } } });
  await fleet.finish("a");
  const first = await begin(fleet);
  const waiting = await queue(fleet, 6);
  const { failure } = (await fleet.finish("a")).end;
  // One run at a time, and each has taken a second or more.
  expect(failure?.code).toBe("queue-full");
  expect(failure?.retryAfterMs).toBeGreaterThan(3000);
  expect(failure?.retryAfterMs).toBeLessThanOrEqual(60_000);
  fleet.tell("a", "go");
  await Promise.all([first, ...waiting].map((run) => run.finished));
});

it("with a queue of length 0 no run waits", async () => {
  const fleet = openFleet(
    { a: [answersWhenTold("go")], b: [answers("From b.")] },
    { policies: { limit: { perProvider: 1, queue: 0 } } },
  );
  const first = await begin(fleet);
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "queue-full", message: expect.stringMatching(/\b0\b/) });
  const { events, result } = await fleet.finish(["a", "b"]);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", to: "b", failure: { code: "queue-full" } }]);
  fleet.tell("a", "go");
  await first.finished;
});

it("a run that has waited for its maxWaitMs ends with queue-full, and the others move up", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { perProvider: 1 } } });
  const first = await begin(fleet);
  const impatient = watchWaiting(fleet.run("a", { maxWaitMs: 2000 }));
  expect(await impatient.waits).toBe(1);
  const [behind] = await queue(fleet, 1, 2);
  const { events, end } = await impatient.finished;
  expect(end.failure).toMatchObject({ category: "rate_limit", code: "queue-full" });
  expect(eventsOf(events, "retry")).toEqual([]);
  expect(events.at(-1)?.atMs).toBeGreaterThanOrEqual(1995);
  await expect.poll(() => behind?.position(), { timeout: 20_000 }).toBe(1);
  expect(fleet.starts("a")).toBe(1);
  fleet.tell("a", "go");
  await Promise.all([first.finished, behind?.finished]);
});

it("maxWaitMs does not end a run that has a place", async () => {
  const fleet = openFleet(
    { a: [answers("Slow.", { before: [{ do: "wait", ms: 800 }] })] },
    { policies: { limit: { perProvider: 1 } } },
  );
  expect((await fleet.finish("a", { maxWaitMs: 100 })).result.text).toBe("Slow.");
});

it("after queue-full a chain continues with the next target", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")], b: [answers("From b.")] }, { policies: { limit: { perProvider: 1 } } });
  const first = await begin(fleet);
  const { events, result } = await fleet.finish(["a", "b"], { maxWaitMs: 100 });
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ failure: { code: "queue-full" } }]);
  fleet.tell("a", "go");
  await first.finished;
});

it("time in the queue counts for totalMs", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")], b: [answers("From b.")] }, { policies: { limit: { perProvider: 1 } } });
  const first = await begin(fleet);
  const { events, end } = await fleet.finish(["a", "b"], { timeouts: { totalMs: 300 } });
  expect(end.failure).toMatchObject({ category: "timeout", code: "total-timeout" });
  expect(eventsOf(events, "queue-wait")).toHaveLength(1);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
  fleet.tell("a", "go");
  await first.finished;
});

it("with fullQueue wait, time in the queue does not count for totalMs, but maxWaitMs ends the wait", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { perProvider: 1, queue: 1 } } });
  const first = await begin(fleet);
  const totalMs = 4000;
  const patient = watchWaiting(fleet.run("a", { timeouts: { totalMs } }, { fullQueue: "wait" }));
  const joinedAt = performance.now();
  expect(await patient.waits).toBe(1);
  const impatient = await fleet.finish("a", { maxWaitMs: totalMs + 200, timeouts: { totalMs } }, { fullQueue: "wait" });
  expect(impatient.end.failure).toMatchObject({ code: "queue-full" });
  expect(performance.now() - joinedAt).toBeGreaterThan(totalMs);
  fleet.tell("a", "go");
  expect((await patient.finished).end.failure).toBeUndefined();
  await first.finished;
});

it("the run itself has only the time that is left after the queue", async () => {
  const fleet = openFleet(
    { a: [answers("One.", { before: [{ do: "wait", ms: 4500 }] }), [FOREVER]] },
    { policies: { limit: { perProvider: 1 } } },
  );
  const first = watchWaiting(fleet.run("a"));
  await first.begun;
  const { events, end } = await fleet.finish("a", { timeouts: { totalMs: 6500 } });
  expect(end.failure).toMatchObject({ code: "total-timeout" });
  expect(fleet.starts("a")).toBe(2);
  // If the time began with the place, it would not be over before 10500.
  expect(events.at(-1)?.atMs).toBeLessThan(10_500);
});

it.each(["signal", "interrupt", "leaving"] as const)(
  "a run that is cancelled in the queue by %s frees its position",
  async (way) => {
    const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { perProvider: 1, queue: 2 } } });
    const first = await begin(fleet);
    const abort = new AbortController();
    const leaver = fleet.run("a", {}, { signal: abort.signal });
    const reading = way === "leaving" ? undefined : watchWaiting(leaver);
    const leaving = way === "leaving" ? leaver[Symbol.asyncIterator]() : undefined;
    for (let next = await leaving?.next(); next !== undefined && next.value.type !== "queue-wait"; next = await leaving?.next());
    await reading?.waits;
    const [behind] = await queue(fleet, 1, 2);
    if (way === "signal") abort.abort();
    if (way === "interrupt") leaver.interrupt();
    await leaving?.return?.();
    expect((await leaver.outcome()).failure).toMatchObject({ category: "cancelled", code: "interrupted" });
    await expect.poll(() => behind?.position(), { timeout: 20_000 }).toBe(1);
    const [another] = await queue(fleet, 1, 2);
    fleet.tell("a", "go");
    await Promise.all([first, behind, another].map((run) => run?.finished));
    expect(fleet.starts("a")).toBe(3);
  },
);

async function begin(fleet: Fleet): Promise<WaitingRun> {
  const run = watchWaiting(fleet.run("a"));
  await run.begun;
  return run;
}

/** Queues this many runs, the first of them at this position. */
async function queue(fleet: Fleet, length: number, from = 1): Promise<readonly WaitingRun[]> {
  const runs = Array.from({ length }, () => watchWaiting(fleet.run("a")));
  const positions = await Promise.all(runs.map((run) => run.waits));
  expect(positions).toEqual(Array.from({ length }, (_, index) => from + index));
  return runs;
}
