import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { waitFor } from "./part.ts";
import { RunWriter } from "./run-writer.ts";

it("it lasts for the given time", async () => {
  const begun = performance.now();
  expect(await waitFor(context(never()), 40)).toBe("time");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(38);
});

it("wake ends it, also without a time", async () => {
  let wake = (): void => {};
  const waiting = waitFor(context(never()), undefined, (how) => {
    wake = how;
  });
  wake();
  wake();
  expect(await waiting).toBe("woken");
});

it("the signal cancels it, and no listener and no timer is left", async () => {
  const abort = new AbortController();
  const before = timers();
  const waiting = waitFor(context(abort.signal), 600_000);
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
  expect(await waitFor(context(AbortSignal.abort()), 600_000, onWait)).toBe("cancelled");
  expect(isCalled).toBe(false);
  expect(timers()).toBe(before);
});

it("after its time no listener is left", async () => {
  const { signal } = new AbortController();
  await waitFor(context(signal), 1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("a time longer than the longest Node timer does not end at once", async () => {
  const abort = new AbortController();
  const waiting = waitFor(context(abort.signal), 2 ** 40);
  const first = await Promise.race([waiting, waitFor(context(never()), 30)]);
  expect(first).toBe("time");
  abort.abort();
  expect(await waiting).toBe("cancelled");
});

function context(signal: AbortSignal): Parameters<typeof waitFor>[0] {
  return {
    signal,
    writer: new RunWriter(
      "run-1",
      () => 0,
      () => {},
    ),
  };
}

function never(): AbortSignal {
  return new AbortController().signal;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}
