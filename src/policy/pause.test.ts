import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { pause } from "./pause.ts";

it("it lasts for the given time", async () => {
  const begun = performance.now();
  expect(await pause({ ms: 40, signals: [] })).toBe("time");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(38);
});

it("wake ends it, also without a time", async () => {
  let wake = (): void => {};
  const waiting = pause({
    signals: [undefined],
    onWait: (how) => {
      wake = how;
    },
  });
  wake();
  wake();
  expect(await waiting).toBe("woken");
});

it("each of the signals cancels it, and no listener and no timer is left", async () => {
  for (const index of [0, 1]) {
    const aborts = [new AbortController(), new AbortController()];
    const signals = aborts.map(({ signal }) => signal);
    const before = timers();
    const waiting = pause({ ms: 600_000, signals });
    expect(timers()).toBe(before + 1);
    aborts[index]?.abort();
    expect(await waiting).toBe("cancelled");
    expect(timers()).toBe(before);
    for (const signal of signals) expect(getEventListeners(signal, "abort")).toEqual([]);
  }
});

it("a signal that is already aborted cancels it at once, and onWait is not called", async () => {
  const before = timers();
  let isTold = false;
  const onWait = (): void => {
    isTold = true;
  };
  expect(await pause({ ms: 600_000, signals: [undefined, AbortSignal.abort()], onWait })).toBe("cancelled");
  expect(isTold).toBe(false);
  expect(timers()).toBe(before);
});

it("after its time no listener is left", async () => {
  const { signal } = new AbortController();
  await pause({ ms: 1, signals: [signal] });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("a time longer than the longest Node timer does not end at once", async () => {
  const abort = new AbortController();
  const waiting = pause({ ms: 2 ** 40, signals: [abort.signal] });
  const first = await Promise.race([waiting, pause({ ms: 30, signals: [] })]);
  expect(first).toBe("time");
  abort.abort();
  expect(await waiting).toBe("cancelled");
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}
