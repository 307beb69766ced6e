import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Places, type Waiting } from "./limit.ts";

/** A run that waits, and the positions it got. */
type Queued = Waiting & { readonly positions: number[]; placed: boolean };

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

it("places are limited per provider and in total", () => {
  const places = new Places({ perProvider: 2, total: 3 });
  expect(["a", "a", "a", "b", "b"].map((id) => places.take(id))).toEqual([true, true, false, true, false]);
  places.release("b");
  expect([places.take("a"), places.take("b"), places.take("c")]).toEqual([false, true, false]);
});

it("a free place goes to the longest-waiting run whose provider has a place", () => {
  const places = new Places({ perProvider: 1, total: 2 });
  places.take("a");
  places.take("b");
  const [a, c, b] = [join(places, "a"), join(places, "c"), join(places, "b")];
  places.release("b");
  expect([a, c, b].map(({ placed }) => placed)).toEqual([false, true, false]);
  places.release("a");
  expect([a, b].map(({ placed }) => placed)).toEqual([true, false]);
  places.release("c");
  expect(b.placed).toBe(true);
  expect([a, c, b].map(({ positions }) => positions)).toEqual([[1], [2], [3]]);
});

it("when a run leaves, the runs behind it move up and get their new position a second later", () => {
  const places = new Places({ perProvider: 1 });
  places.take("a");
  const [first, second, third] = [join(places, "a"), join(places, "a"), join(places, "a")];
  places.leave(second);
  places.leave(second);
  vi.advanceTimersByTime(999);
  expect([first, second, third].map(({ positions }) => positions)).toEqual([[1], [2], [3]]);
  vi.advanceTimersByTime(5000);
  expect([first, second, third].map(({ positions }) => positions)).toEqual([[1], [2], [3, 2]]);
  expect(places.length).toBe(2);
});

it("in a fast queue each run gets one position a second, the newest", () => {
  const places = new Places({ perProvider: 1, queue: 300 });
  places.take("a");
  const runs = Array.from({ length: 300 }, () => join(places, "a"));
  for (let moved = 0; moved < 250; moved += 1) {
    places.release("a");
    vi.advanceTimersByTime(10);
  }
  const last = runs.at(-1);
  expect(last?.positions).toEqual([300, 200, 100]);
  vi.advanceTimersByTime(1000);
  expect(last?.positions).toEqual([300, 200, 100, 50]);
});

it("a run that has just joined gets no second position within its first second", () => {
  const places = new Places({ perProvider: 1 });
  places.take("a");
  const [first, second] = [join(places, "a"), join(places, "a")];
  places.leave(first);
  vi.advanceTimersByTime(600);
  const third = join(places, "a");
  places.leave(second);
  vi.advanceTimersByTime(400);
  expect(third.positions).toEqual([2]);
  vi.advanceTimersByTime(1000);
  expect(third.positions).toEqual([2, 1]);
});

it("no timer runs when the queue is empty or every run has its current position", () => {
  const places = new Places({ perProvider: 1 });
  places.take("a");
  const [first, second, third] = [join(places, "a"), join(places, "a"), join(places, "a")];
  expect(vi.getTimerCount()).toBe(0);
  places.leave(third);
  expect(vi.getTimerCount()).toBe(0);
  places.leave(first);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
  join(places, "a");
  places.leave(second);
  places.release("a");
  expect([places.length, vi.getTimerCount()]).toEqual([0, 0]);
});

it("a full queue takes no run, and no position is reported", () => {
  const places = new Places({ perProvider: 1, queue: 1 });
  places.take("a");
  join(places, "a");
  const refused = toQueued("a");
  expect(places.join(refused)).toBe(false);
  expect(refused.positions).toEqual([]);
  expect(places.length).toBe(1);
});

it("the default limits are 8, 16 and 256", () => {
  const places = new Places({});
  const taken = Array.from({ length: 9 }, () => places.take("a"));
  expect(taken.filter(Boolean)).toHaveLength(8);
  const further = Array.from({ length: 9 }, (_, index) => places.take(`other-${index}`));
  expect(further.filter(Boolean)).toHaveLength(8);
  for (let waiting = 0; waiting < 256; waiting += 1) expect(places.join(toQueued("a"))).toBe(true);
  expect(places.join(toQueued("a"))).toBe(false);
});

it("in any sequence no limit is exceeded, no run waits while its place is free, and positions count from 1", () => {
  const step = fc.array(fc.constantFrom("a", "b", "c", "release", "leave"), { maxLength: 60 });
  fc.assert(
    fc.property(step, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), (steps, perProvider, total) => {
      const places = new Places({ perProvider, total });
      const running: string[] = [];
      let queue: Queued[] = [];
      for (const [index, word] of steps.entries()) {
        const gone = word === "leave" ? queue[index % Math.max(1, queue.length)] : undefined;
        if (gone !== undefined) places.leave(gone);
        const over = word === "release" ? running.splice(index % Math.max(1, running.length), 1)[0] : undefined;
        if (over !== undefined) places.release(over);
        if (word.length === 1 && places.take(word)) running.push(word);
        else if (word.length === 1) queue.push(join(places, word));
        running.push(...queue.filter(({ placed }) => placed).map(({ provider }) => provider));
        queue = queue.filter((waiting) => waiting !== gone && !waiting.placed);
        const countOf = (provider: string): number => running.filter((one) => one === provider).length;
        expect(running.length).toBeLessThanOrEqual(total);
        expect(Math.max(0, ...running.map(countOf))).toBeLessThanOrEqual(perProvider);
        vi.advanceTimersByTime(1000);
        expect(queue.map(({ positions }) => positions.at(-1))).toEqual(queue.map((_, place) => place + 1));
        if (running.length < total) for (const { provider } of queue) expect(countOf(provider)).toBe(perProvider);
        expect(places.length).toBe(queue.length);
      }
    }),
  );
});

function toQueued(provider: string): Queued {
  const queued: Queued = {
    provider,
    positions: [],
    placed: false,
    onPosition: (position) => void queued.positions.push(position),
    onPlace: () => {
      queued.placed = true;
    },
  };
  return queued;
}

function join(places: Places, provider: string): Queued {
  const queued = toQueued(provider);
  if (!places.join(queued)) throw new Error("the queue is full");
  return queued;
}
