import { expect, it } from "vitest";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, answersWhenTold, fails, hangs, type Play } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { type WaitingRun, watchWaiting } from "./waiting.ts";

const ONE_EACH = { limit: { perProvider: 1 } };

it("a run of a provider without a free place waits, and reports position 1", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go"), answers("Second.")] }, { policies: ONE_EACH });
  const [first, second] = [await begin(fleet, "a"), watchWaiting(fleet.run("a"))];
  expect(await second.waits).toBe(1);
  expect(fleet.starts("a")).toBe(1);
  fleet.tell("a", "go");
  expect((await first.finished).result.text).toBe("Told.");
  const { events, result } = await second.finished;
  expect(result.text).toBe("Second.");
  expect(eventsOf(events, "queue-wait").map(({ position }) => position)).toEqual([1]);
  expect(events.map(({ type }) => type).indexOf("queue-wait")).toBeLessThan(
    events.map(({ type }) => type).indexOf("session-start"),
  );
});

it("an alias of a provider is that provider", async () => {
  const options = { policies: ONE_EACH, changes: { a: { aliases: ["first"] } } };
  const fleet = openFleet({ a: [answersWhenTold("go"), answers("Second.")] }, options);
  await begin(fleet, "first");
  const second = watchWaiting(fleet.run("a"));
  expect(await second.waits).toBe(1);
  fleet.tell("a", "go");
  expect((await second.finished).result.text).toBe("Second.");
});

it("a run that does not wait has no queue-wait event", async () => {
  const fleet = openFleet({ a: [answers("At once.")] }, { policies: { limit: { perProvider: 1, total: 1 } } });
  for (let run = 0; run < 2; run += 1) expect(eventsOf((await fleet.finish("a")).events, "queue-wait")).toEqual([]);
});

it("all providers together have a limit too", async () => {
  const plays = { a: [answersWhenTold("go")], b: [answersWhenTold("go")], c: [answers("Third.")] };
  const fleet = openFleet(plays, { policies: { limit: { total: 2 } } });
  await Promise.all([begin(fleet, "a"), begin(fleet, "b")]);
  const third = watchWaiting(fleet.run("c"));
  expect(await third.waits).toBe(1);
  expect(fleet.starts("c")).toBe(0);
  fleet.tell("b", "go");
  expect((await third.finished).result.text).toBe("Third.");
  fleet.tell("a", "go");
});

it("a busy provider does not block the others", async () => {
  const plays = { a: [answersWhenTold("go")], b: [answers("Past the queue.")] };
  const fleet = openFleet(plays, { policies: { limit: { perProvider: 1, total: 2 } } });
  const first = await begin(fleet, "a");
  const waiting = [watchWaiting(fleet.run("a")), watchWaiting(fleet.run("a"))];
  expect(await Promise.all(waiting.map((run) => run.waits))).toEqual([1, 2]);
  const { events, result } = await fleet.finish("b");
  expect(result.text).toBe("Past the queue.");
  expect(eventsOf(events, "queue-wait")).toEqual([]);
  fleet.tell("a", "go");
  await Promise.all([first, ...waiting].map((run) => run.finished));
});

it("the longest-waiting run whose provider has a place goes first", async () => {
  const plays = { a: [answersWhenTold("go"), answersWhenTold("go2")], b: [answersWhenTold("go")], c: [answers("Third.")] };
  const fleet = openFleet(plays, { policies: { limit: { perProvider: 1, total: 2 } } });
  const [a1, b1] = [await begin(fleet, "a"), await begin(fleet, "b")];
  const a2 = watchWaiting(fleet.run("a"));
  expect(await a2.waits).toBe(1);
  const c1 = watchWaiting(fleet.run("c"));
  expect(await c1.waits).toBe(2);
  fleet.tell("b", "go");
  await Promise.all([b1.finished, c1.finished]);
  expect(fleet.starts("a")).toBe(1);
  fleet.tell("a", "go");
  await a1.finished;
  fleet.tell("a", "go2");
  await a2.finished;
});

it("runs start in the order in which they were requested", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go"), answers("Later.")] }, { policies: ONE_EACH });
  await begin(fleet, "a");
  const prompts = ["second", "third", "fourth", "fifth"];
  const runs = prompts.map((prompt) => watchWaiting(fleet.run("a", { prompt })));
  expect(await Promise.all(runs.map((run) => run.waits))).toEqual([1, 2, 3, 4]);
  fleet.tell("a", "go");
  const finished = await Promise.all(runs.map((run) => run.finished));
  expect(
    fleet
      .calls("a")
      .slice(1)
      .map(({ prompt }) => prompt),
  ).toEqual(prompts);
  for (const [index, { events }] of finished.entries()) expect(eventsOf(events, "queue-wait")[0]?.position).toBe(index + 1);
});

it("a run that moves up reports its new position, at most once a second", async () => {
  const fleet = openFleet(
    { a: [answersWhenTold("go"), answers("Later.", { before: [{ do: "wait", ms: 300 }] })] },
    { policies: ONE_EACH },
  );
  await begin(fleet, "a");
  const runs = Array.from({ length: 8 }, () => watchWaiting(fleet.run("a")));
  expect(await runs.at(-1)?.waits).toBe(8);
  fleet.tell("a", "go");
  const finished = await Promise.all(runs.map((run) => run.finished));
  for (const { events } of finished) {
    const told = eventsOf(events, "queue-wait");
    for (const [index, { position, atMs }] of told.entries()) {
      const before = told[index - 1];
      if (before === undefined) continue;
      expect(position).toBeLessThan(before.position);
      expect(atMs - before.atMs).toBeGreaterThanOrEqual(990);
    }
  }
  const last = eventsOf(finished.at(-1)?.events ?? [], "queue-wait");
  expect(last.length).toBeGreaterThan(1);
});

it("a place is free while a run waits for its retry", async () => {
  const fleet = openFleet(
    { a: [fails("rate-limited", { retryAfterMs: 50_000 }), answers("Meanwhile.")] },
    { policies: ONE_EACH },
  );
  const first = watchWaiting(fleet.run("a"));
  await first.retries;
  expect((await fleet.finish("a")).result.text).toBe("Meanwhile.");
  first.stream.interrupt();
  expect((await first.finished).end.failure).toMatchObject({ code: "interrupted" });
});

it("by default eight runs of one provider run at once and the ninth waits", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] });
  const runs = Array.from({ length: 9 }, () => watchWaiting(fleet.run("a")));
  expect(await runs[8]?.waits).toBe(1);
  await expect.poll(() => fleet.starts("a"), { timeout: 20_000 }).toBe(8);
  fleet.tell("a", "go");
  const finished = await Promise.all(runs.map((run) => run.finished));
  expect(finished.map(({ result }) => result.text)).toEqual(Array.from({ length: 9 }, () => "Told."));
  expect(fleet.starts("a")).toBe(9);
});

it.each([
  ["limit: false", { limit: false }],
  ["policies: false", false],
] as const)("with %s no run waits", async (_name, policies) => {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies });
  const runs = Array.from({ length: 10 }, () => watchWaiting(fleet.run("a")));
  await expect.poll(() => fleet.starts("a"), { timeout: 20_000 }).toBe(10);
  fleet.tell("a", "go");
  for (const { events } of await Promise.all(runs.map((run) => run.finished))) expect(eventsOf(events, "queue-wait")).toEqual([]);
});

it.each<[string, Play]>([
  ["failed", fails("bad-request")],
  ["crashed", [{ do: "die", signal: "SIGKILL" }]],
  ["ran out of time", hangs],
])("the place of a run that %s is free again", async (_name, play) => {
  const fleet = openFleet({ a: [play, play, play, answers("Free.")] }, { policies: { retry: false, limit: { total: 1 } } });
  for (let run = 0; run < 3; run += 1)
    expect((await fleet.finish("a", { timeouts: { totalMs: 1500 } })).result.failure).toBeDefined();
  expect((await fleet.finish("a")).result.text).toBe("Free.");
});

it.each(["interrupt", "leaving"] as const)("the place of a run that was cancelled by %s is free again", async (way) => {
  const fleet = openFleet({ a: [hangs, answers("Free.")] }, { policies: { limit: { total: 1, queue: 0 } } });
  const stream = fleet.run("a");
  for await (const event of stream) {
    if (event.type !== "session-start") continue;
    if (way === "leaving") break;
    stream.interrupt();
  }
  expect((await stream.outcome()).failure).toMatchObject({ code: "interrupted" });
  expect((await fleet.finish("a")).result.text).toBe("Free.");
});

it("runs that are refused before they start keep no place", async () => {
  const changes = { missing: { binary: { names: ["no-such-program-anywhere"] } } };
  const fleet = openFleet(
    { a: [answers("Free.")], missing: [] },
    { changes, policies: { limit: { perProvider: 1, total: 1, queue: 0 } } },
  );
  expect((await fleet.finish("a", { prompt: " " })).end.failure).toMatchObject({ code: "prompt-blank" });
  expect((await fleet.finish("a", { effort: "high", strict: true })).end.failure).toMatchObject({ code: "option-unsupported" });
  expect((await fleet.finish("missing")).end.failure).toMatchObject({ code: "cli-missing" });
  expect((await fleet.finish("nobody")).end.failure).toMatchObject({ code: "provider-unknown" });
  const { events, result } = await fleet.finish("a");
  expect(result.text).toBe("Free.");
  expect(eventsOf(events, "queue-wait")).toEqual([]);
});

async function begin(fleet: Fleet, id: string): Promise<WaitingRun> {
  const run = watchWaiting(fleet.run(id));
  await run.begun;
  return run;
}
