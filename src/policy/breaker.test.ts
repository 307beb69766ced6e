import { expect, it } from "vitest";
import { Breaker } from "./cooldown.ts";

it("all runs start until the limit of consecutive failures is reached", () => {
  const breaker = new Breaker({ failures: 3 });
  for (let run = 0; run < 3; run += 1) {
    expect(breaker.enter(0)).toEqual({ goes: true, isProbe: false });
    breaker.leave("failed", false, 0);
  }
  expect(breaker.enter(0)).toEqual({ goes: false, restMs: 30_000 });
});

it("failures are counted in the order in which runs end, however many began together", () => {
  const breaker = new Breaker({ failures: 2, restMs: 100 });
  for (let run = 0; run < 4; run += 1) expect(breaker.enter(0)).toMatchObject({ goes: true });
  breaker.leave("failed", false, 10);
  breaker.leave("failed", false, 20);
  breaker.leave("failed", false, 90);
  breaker.leave("failed", false, 95);
  expect(breaker.enter(119), "those that were under way do not make the rest longer").toEqual({ goes: false, restMs: 1 });
  expect(breaker.enter(120)).toEqual({ goes: true, isProbe: true });
});

it("the answer of a run that was in progress ends the rest", () => {
  const breaker = new Breaker({ failures: 1, restMs: 100 });
  breaker.leave("failed", false, 0);
  expect(breaker.enter(1)).toMatchObject({ goes: false });
  breaker.leave("answered", false, 2);
  expect(breaker.enter(3)).toEqual({ goes: true, isProbe: false });
});

it("one probe at a time; a run refused meanwhile gets a rest time in the future", () => {
  const breaker = new Breaker({ failures: 1, restMs: 100 });
  breaker.leave("failed", false, 0);
  expect(breaker.enter(100)).toEqual({ goes: true, isProbe: true });
  const refused = breaker.enter(5000);
  expect(refused.goes).toBe(false);
  expect(refused.goes ? 0 : refused.restMs).toBeGreaterThan(0);
  breaker.leave("neither", true, 5000);
  expect(breaker.enter(5000)).toEqual({ goes: true, isProbe: true });
});

it("each failed probe doubles the rest up to the longest, and an answer resets it", () => {
  const breaker = new Breaker({ failures: 1, restMs: 100, longestRestMs: 350 });
  let now = 0;
  const rests: number[] = [];
  breaker.leave("failed", false, now);
  for (let probe = 0; probe < 4; probe += 1) {
    const refused = breaker.enter(now);
    if (refused.goes) throw new Error("it goes");
    rests.push(refused.restMs);
    now += refused.restMs;
    expect(breaker.enter(now)).toEqual({ goes: true, isProbe: true });
    breaker.leave("failed", true, now);
  }
  expect(rests).toEqual([100, 200, 350, 350]);
  expect(breaker.enter(now + 350)).toEqual({ goes: true, isProbe: true });
  breaker.leave("answered", true, now + 350);
  breaker.leave("failed", false, now + 350);
  expect(breaker.enter(now + 350)).toEqual({ goes: false, restMs: 100 });
});

it("a failure of another run during a probe does not count as the probe's", () => {
  const breaker = new Breaker({ failures: 1, restMs: 100 });
  breaker.leave("failed", false, 0);
  expect(breaker.enter(100)).toEqual({ goes: true, isProbe: true });
  breaker.leave("failed", false, 110);
  expect(breaker.enter(120), "the probe is still under way").toMatchObject({ goes: false });
  breaker.leave("answered", true, 130);
  expect(breaker.enter(130)).toEqual({ goes: true, isProbe: false });
});

it("an end that is neither an answer nor a failure changes nothing", () => {
  const breaker = new Breaker({ failures: 2 });
  breaker.leave("failed", false, 0);
  for (let run = 0; run < 10; run += 1) breaker.leave("neither", false, 0);
  expect(breaker.enter(0)).toMatchObject({ goes: true });
  breaker.leave("failed", false, 0);
  expect(breaker.enter(0)).toMatchObject({ goes: false });
});

it("a clock that is set back does not make the rest longer", () => {
  const breaker = new Breaker({ failures: 1, restMs: 100 });
  breaker.leave("failed", false, 10_000);
  expect(breaker.enter(500)).toEqual({ goes: false, restMs: 100 });
  expect(breaker.enter(600)).toEqual({ goes: true, isProbe: true });
});
