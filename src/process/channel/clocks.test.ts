import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Timeouts } from "../../spec/request.ts";
import { Clocks, type ClockTimes, type ExpiredClock } from "./clocks.ts";

// No test depends on absolute speed: the timers of one process fire in the order of their due times.
const running: Clocks[] = [];

afterEach(() => {
  for (const clocks of running.splice(0)) clocks.stop();
});

it.each<[keyof Timeouts, ExpiredClock["code"]]>([
  ["firstEventMs", "first-event-timeout"],
  ["idleMs", "idle-timeout"],
  ["totalMs", "total-timeout"],
])("%s expires once, with the code %s and its duration", async (name, code) => {
  const { expired } = start({ [name]: 30 });
  await expect.poll(expired).toEqual([{ code, afterMs: 30 }]);
  await delay(60);
  expect(expired()).toHaveLength(1);
});

it("clocks expire in the order of their durations", async () => {
  const { codes } = start({ totalMs: 30, idleMs: 60, firstEventMs: 90 });
  await expect.poll(codes).toEqual(["total-timeout", "idle-timeout", "first-event-timeout"]);
});

it("a total time that may be stopped leaves out the time in which the CLI waits for the host; another one does not", async () => {
  const [stoppable, fixed] = [start({ totalMs: 60, isTotalStoppable: true }), start({ totalMs: 60 })];
  for (const { clocks } of [stoppable, fixed]) {
    clocks.sawQuestion();
    clocks.sawQuestion();
  }
  await expect.poll(fixed.codes).toEqual(["total-timeout"]);
  await delay(60);
  stoppable.clocks.sawAnswer();
  expect(stoppable.codes()).toEqual([]);
  stoppable.clocks.sawAnswer();
  await expect.poll(stoppable.expired).toEqual([{ code: "total-timeout", afterMs: 60 }]);
});

it("a clock without a duration never expires", async () => {
  const { codes, clocks } = start({});
  clocks.sawProgress();
  clocks.sawEvent();
  clocks.sawQuestion();
  clocks.sawAnswer();
  await delay(30);
  expect(codes()).toEqual([]);
});

it("output restarts the idle clock", async () => {
  const { codes, clocks, note } = start({ idleMs: 120 });
  setTimeout(() => note("after 150 ms"), 150);
  await delay(60);
  clocks.sawProgress();
  await expect.poll(codes).toEqual(["after 150 ms", "idle-timeout"]);
});

it("output does not restart the other clocks", async () => {
  const { codes, clocks, note } = start({ firstEventMs: 120, totalMs: 120 });
  await delay(60);
  clocks.sawProgress();
  setTimeout(() => note("120 ms after the bytes"), 120);
  await expect.poll(codes).toHaveLength(3);
  expect(codes().toSorted()).toEqual(["120 ms after the bytes", "first-event-timeout", "total-timeout"]);
  expect(codes().indexOf("total-timeout")).toBeLessThan(codes().indexOf("120 ms after the bytes"));
});

it("the first event stops the first-event clock only", async () => {
  const { codes, clocks } = start({ firstEventMs: 30, idleMs: 40, totalMs: 50 });
  clocks.sawEvent();
  clocks.sawEvent();
  await expect.poll(() => codes().toSorted()).toEqual(["idle-timeout", "total-timeout"]);
  await delay(30);
  expect(codes()).not.toContain("first-event-timeout");
});

it("output without an event does not stop the first-event clock", async () => {
  const { codes, clocks } = start({ firstEventMs: 40 });
  clocks.sawProgress();
  await expect.poll(codes).toEqual(["first-event-timeout"]);
});

it("the idle clock stops while the CLI waits for an answer, and restarts with the answer", async () => {
  const { codes, clocks, note } = start({ idleMs: 40 });
  clocks.sawQuestion();
  clocks.sawQuestion();
  clocks.sawProgress();
  await delay(80);
  clocks.sawAnswer();
  await delay(80);
  note("the last answer");
  clocks.sawAnswer();
  await expect.poll(codes).toEqual(["the last answer", "idle-timeout"]);
});

it("a question does not stop the total clock", async () => {
  const { codes, clocks } = start({ totalMs: 30 });
  clocks.sawQuestion();
  await expect.poll(codes).toEqual(["total-timeout"]);
});

it("no later event restarts stopped clocks", async () => {
  const { codes, clocks } = start({ firstEventMs: 20, idleMs: 20, totalMs: 20 });
  clocks.sawQuestion();
  clocks.stop();
  clocks.stop();
  clocks.sawProgress();
  clocks.sawEvent();
  clocks.sawAnswer();
  await delay(80);
  expect(codes()).toEqual([]);
});

it("an expired clock may stop the others", async () => {
  const codes: string[] = [];
  const clocks = new Clocks({ totalMs: 20, idleMs: 40, firstEventMs: 60 }, ({ code }) => {
    codes.push(code);
    clocks.stop();
  });
  running.push(clocks);
  await delay(120);
  expect(codes).toEqual(["total-timeout"]);
});

it("output that arrived while the host was busy is read before the idle clock expires", async () => {
  const { codes, clocks, note } = start({ idleMs: 30 });
  const busyUntil = Date.now() + 60;
  while (Date.now() < busyUntil);
  setImmediate(() => {
    clocks.sawProgress();
    note("bytes");
  });
  await expect.poll(codes).toEqual(["bytes", "idle-timeout"]);
});

type Watched = {
  readonly clocks: Clocks;
  /** The expired clocks and the notes, in order. */
  readonly codes: () => readonly string[];
  readonly expired: () => readonly ExpiredClock[];
  readonly note: (word: string) => void;
};

function start(timeouts: ClockTimes): Watched {
  const codes: string[] = [];
  const expired: ExpiredClock[] = [];
  const clocks = new Clocks(timeouts, (clock) => {
    codes.push(clock.code);
    expired.push(clock);
  });
  running.push(clocks);
  return { clocks, codes: () => codes, expired: () => expired, note: (word) => codes.push(word) };
}
