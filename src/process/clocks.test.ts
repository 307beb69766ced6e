import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Timeouts } from "../spec/request.ts";
import { Clocks, type ExpiredClock } from "./clocks.ts";

// No test depends on how long anything takes: timers of one process fire in the order in which they are due.
const running: Clocks[] = [];

afterEach(() => {
  for (const clocks of running.splice(0)) clocks.stop();
});

it.each<[keyof Timeouts, ExpiredClock["code"]]>([
  ["firstEventMs", "first-event-timeout"],
  ["idleMs", "idle-timeout"],
  ["totalMs", "total-timeout"],
])("%s runs out with the code %s and says after how long", async (name, code) => {
  const { fired } = start({ [name]: 30 });
  await delay(60);
  expect(fired).toEqual([{ code, afterMs: 30 }]);
});

it("clocks run out in the order of their times, each once", async () => {
  const { fired } = start({ totalMs: 30, idleMs: 60, firstEventMs: 90 });
  await delay(150);
  expect(fired.map(({ code }) => code)).toEqual(["total-timeout", "idle-timeout", "first-event-timeout"]);
});

it("a clock that was not set never runs out", async () => {
  const { fired, clocks } = start({});
  clocks.sawBytes();
  clocks.sawEvent();
  await delay(20);
  expect(fired).toEqual([]);
});

it("bytes set the idle clock back, and it alone", async () => {
  const { fired, clocks } = start({ firstEventMs: 120, idleMs: 120, totalMs: 120 });
  await delay(60);
  clocks.sawBytes();
  while (fired.length < 3) await delay(10);
  const codes = fired.map(({ code }) => code);
  expect(codes.at(-1)).toBe("idle-timeout");
  expect(codes.toSorted()).toEqual(["first-event-timeout", "idle-timeout", "total-timeout"]);
});

it("the first event stops the first clock, and it alone", async () => {
  const { fired, clocks } = start({ firstEventMs: 30, idleMs: 40, totalMs: 50 });
  clocks.sawEvent();
  clocks.sawEvent();
  await delay(100);
  expect(fired.map(({ code }) => code)).toEqual(["idle-timeout", "total-timeout"]);
});

it("bytes without an event do not stop the first clock", async () => {
  const { fired, clocks } = start({ firstEventMs: 40 });
  clocks.sawBytes();
  await delay(80);
  expect(fired).toEqual([{ code: "first-event-timeout", afterMs: 40 }]);
});

it("stopped clocks stay stopped, whatever is seen afterwards", async () => {
  const { fired, clocks } = start({ firstEventMs: 20, idleMs: 20, totalMs: 20 });
  clocks.stop();
  clocks.sawBytes();
  clocks.sawEvent();
  clocks.stop();
  await delay(60);
  expect(fired).toEqual([]);
});

it("one clock that runs out may stop the others", async () => {
  const fired: string[] = [];
  const clocks = new Clocks({ idleMs: 20, totalMs: 40 }, ({ code }) => {
    fired.push(code);
    clocks.stop();
  });
  running.push(clocks);
  await delay(90);
  expect(fired).toEqual(["idle-timeout"]);
});

function start(timeouts: Timeouts): { readonly fired: readonly ExpiredClock[]; readonly clocks: Clocks } {
  const fired: ExpiredClock[] = [];
  const clocks = new Clocks(timeouts, (clock) => fired.push(clock));
  running.push(clocks);
  return { fired, clocks };
}
