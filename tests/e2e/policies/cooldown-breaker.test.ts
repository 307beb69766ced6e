import { join } from "node:path";
import { expect, it } from "vitest";
import type { CooldownOptions, FailureCode, TargetChoice } from "../../../src/index.ts";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, answersWhenTold, fails, hangs, type Play } from "../../support/clis/plays.ts";
import { eventsOf, watchRun } from "../../support/runs/read-run.ts";

const NOW = Date.now();
const IN_AN_HOUR = new Date(NOW + 3_600_000).toISOString();
const bad = fails("overloaded");
const good = answers("Well.");
const OPTIONS: CooldownOptions = { failures: 2, restMs: 1000, longestRestMs: 3000 };

/** A fleet whose clock moves only when the test moves it. */
type Clocked = Fleet & { later(ms: number): void };

it("after failures in a row the provider rests, and nothing is started", async () => {
  const fleet = openClocked([bad]);
  expect(await ask(fleet)).toBe("overloaded");
  expect(await ask(fleet)).toBe("overloaded");
  const { end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ category: "server", code: "cooling-down", replyStatus: 503, retryAfterMs: 1000 });
  fleet.later(400);
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "cooling-down", retryAfterMs: 600 });
  expect(fleet.starts("a")).toBe(2);
});

it("by default after five failures in a row, for thirty seconds", async () => {
  const fleet = openClocked([bad], {});
  for (let run = 0; run < 5; run += 1) expect(await ask(fleet)).toBe("overloaded");
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "cooling-down", retryAfterMs: 30_000 });
});

it("a run counts once, with all its retries", async () => {
  const fleet = openFleet({ a: [bad, bad, bad, good] }, { policies: { cooldown: { failures: 2 } } });
  expect(await ask(fleet)).toBe("overloaded");
  expect(fleet.starts("a")).toBe(3);
  expect(await ask(fleet)).toBe("Well.");
});

it("a retry that helped is no failure", async () => {
  const fleet = openFleet({ a: [bad, good, bad, good, bad, good] }, { policies: { cooldown: { failures: 2 } } });
  for (let run = 0; run < 3; run += 1) expect(await ask(fleet)).toBe("Well.");
});

it("an answer resets the count", async () => {
  const fleet = openClocked([bad, good, bad, good]);
  expect([await ask(fleet), await ask(fleet), await ask(fleet), await ask(fleet)]).toEqual([
    "overloaded",
    "Well.",
    "overloaded",
    "Well.",
  ]);
});

it.each<FailureCode>(["bad-request", "rate-limited", "upstream-timeout", "not-logged-in", "unclassified", "no-terminal-event"])(
  "%s neither counts nor resets the count",
  async (code) => {
    const fleet = openClocked([bad, fails(code), fails(code), fails("connection-lost"), good]);
    const ends = [await ask(fleet), await ask(fleet), await ask(fleet), await ask(fleet), await ask(fleet)];
    expect(ends).toEqual(["overloaded", code, code, "connection-lost", "cooling-down"]);
  },
);

it("after the rest one run is let through as a probe, while others still end at once", async () => {
  const fleet = openClocked([bad, bad, answersWhenTold("go"), good]);
  await rest(fleet);
  fleet.later(1001);
  const probe = fleet.finish("a");
  await expect.poll(() => fleet.starts("a"), { timeout: 20_000 }).toBe(3);
  expect(await ask(fleet)).toBe("cooling-down");
  expect(await ask(fleet)).toBe("cooling-down");
  fleet.tell("a", "go");
  expect((await probe).result.text).toBe("Told.");
  expect(await ask(fleet)).toBe("Well.");
});

it("a probe that ends well resets the count", async () => {
  const fleet = openClocked([bad, bad, good, bad, good]);
  await rest(fleet);
  fleet.later(1001);
  expect([await ask(fleet), await ask(fleet), await ask(fleet)]).toEqual(["Well.", "overloaded", "Well."]);
});

it("a probe that fails doubles the rest, up to the longest, and one that succeeds resets it", async () => {
  const fleet = openClocked([bad, bad, bad, bad, fails("connection-failed"), good, bad, bad, good]);
  await rest(fleet);
  for (const [waited, next] of [
    [1001, 2000],
    [2001, 3000],
    [3001, 3000],
  ] as const) {
    fleet.later(waited);
    await ask(fleet);
    expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "cooling-down", retryAfterMs: next });
  }
  expect(fleet.starts("a")).toBe(5);
  fleet.later(3001);
  expect(await ask(fleet)).toBe("Well.");
  await rest(fleet);
});

it("a probe that ends in another way does not count: the next run is the probe", async () => {
  const fleet = openClocked([bad, bad, fails("bad-request"), bad, good]);
  await rest(fleet);
  fleet.later(1001);
  expect(await ask(fleet)).toBe("bad-request");
  expect(await ask(fleet)).toBe("overloaded");
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "cooling-down", retryAfterMs: 2000 });
});

it.each(["signal", "interrupt", "leaving"] as const)(
  "a probe that is cancelled by %s leaves the next run the probe",
  async (way) => {
    const fleet = openClocked([bad, bad, hangs, good]);
    await rest(fleet);
    fleet.later(1001);
    const abort = new AbortController();
    const stream = fleet.run("a", {}, { signal: abort.signal });
    if (way === "leaving") for await (const event of stream) if (event.type === "session-start") break;
    if (way !== "leaving") {
      const watched = watchRun(stream);
      await watched.begun;
      if (way === "signal") abort.abort();
      else stream.interrupt();
      await watched.finished;
    }
    await stream.outcome();
    expect(await ask(fleet)).toBe("Well.");
  },
);

it("a probe that is refused before it starts leaves the next run the probe", async () => {
  const fleet = openClocked([bad, bad, good]);
  await rest(fleet);
  fleet.later(1001);
  expect((await fleet.finish("a", { prompt: " " })).end.failure).toMatchObject({ code: "prompt-blank" });
  expect(await ask(fleet)).toBe("Well.");
});

it("runs refused because of the rest do not count", async () => {
  const fleet = openClocked([bad, bad, good, bad, good]);
  await rest(fleet);
  for (let run = 0; run < 5; run += 1) expect(await ask(fleet)).toBe("cooling-down");
  fleet.later(1001);
  expect([await ask(fleet), await ask(fleet), await ask(fleet)]).toEqual(["Well.", "overloaded", "Well."]);
});

it("a chain skips a resting provider, and other clients and profiles are not affected", async () => {
  const fleet = openClocked([bad, bad, good]);
  await rest(fleet);
  const { events, result } = await fleet.finish(["a", "b"]);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", failure: { code: "cooling-down" } }]);
  expect(await ask(fleet, { provider: "a", profile: join(fleet.scope.directory, "other") })).toBe("Well.");
  expect((await fleet.another().run("a", { prompt: "Hello" }).outcome()).text).toBe("Well.");
  expect(await ask(fleet)).toBe("cooling-down");
});

it("a used-up quota is checked before the breaker", async () => {
  const quota = fails("quota-exhausted", { resetAt: IN_AN_HOUR });
  const fleet = openClocked([bad, answersWhenTold("never"), bad, quota]);
  expect(await ask(fleet)).toBe("overloaded");
  const held = watchRun(fleet.run("a"));
  await held.begun;
  expect(await ask(fleet)).toBe("overloaded");
  fleet.later(1001);
  expect(await ask(fleet)).toBe("quota-exhausted");
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "quota-exhausted", resetAt: IN_AN_HOUR });
});

function openClocked(plays: readonly Play[], cooldown: CooldownOptions = OPTIONS): Clocked {
  let now = NOW;
  const fleet = openFleet({ a: plays, b: [answers("From b.")] }, { now: () => now, policies: { retry: false, cooldown } });
  const later = (ms: number): void => {
    now += ms;
  };
  return { ...fleet, later };
}

async function rest(fleet: Fleet): Promise<void> {
  expect([await ask(fleet), await ask(fleet)]).toEqual(["overloaded", "overloaded"]);
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "cooling-down", retryAfterMs: 1000 });
}

async function ask(fleet: Fleet, target: TargetChoice = "a"): Promise<string> {
  const { result } = await fleet.finish(target);
  return result.failure?.code ?? result.text;
}
