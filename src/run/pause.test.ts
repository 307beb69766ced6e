import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { pause } from "./pause.ts";

it("it lasts for the given time", async () => {
  const begun = performance.now();
  expect(await pause({ ms: 40, signal: never() })).toBe("time");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(38);
});

it("wake ends it, also without a time", async () => {
  let wake = (): void => {};
  const waiting = pause({
    signal: never(),
    onWait: (how) => {
      wake = how;
    },
  });
  wake();
  wake();
  expect(await waiting).toBe("woken");
});

it("the signal cancels it, and no listener and no timer is left", async () => {
  const abort = new AbortController();
  const before = timers();
  const waiting = pause({ ms: 600_000, signal: abort.signal });
  expect(timers()).toBe(before + 1);
  abort.abort();
  expect(await waiting).toBe("cancelled");
  expect(timers()).toBe(before);
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
});

it("a signal that is already aborted cancels it at once, and onWait is not called", async () => {
  const before = timers();
  let isCalled = false;
  const onWait = (): void => {
    isCalled = true;
  };
  expect(await pause({ ms: 600_000, signal: AbortSignal.abort(), onWait })).toBe("cancelled");
  expect(isCalled).toBe(false);
  expect(timers()).toBe(before);
});

it("after its time no listener is left", async () => {
  const { signal } = new AbortController();
  await pause({ ms: 1, signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("a time longer than the longest Node timer does not end at once", async () => {
  const abort = new AbortController();
  const waiting = pause({ ms: 2 ** 40, signal: abort.signal });
  const first = await Promise.race([waiting, pause({ ms: 30, signal: never() })]);
  expect(first).toBe("time");
  abort.abort();
  expect(await waiting).toBe("cancelled");
});

function never(): AbortSignal {
  return new AbortController().signal;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}
