import { describe, expect, it } from "vitest";
import { type Sliced, SlicedQueue } from "./slices.ts";

type Opened = { readonly queue: SlicedQueue; readonly done: string[]; readonly bursts: () => number };

function open(isStopped: () => boolean = () => false): Opened {
  let bursts = 0;
  const inBurst = (burst: () => void): void => {
    bursts += 1;
    burst();
  };
  return { queue: new SlicedQueue({ isStopped, inBurst }), done: [], bursts: () => bursts };
}

/** Work of two slices that take no time. */
function* short(name: string, done: string[]): Sliced<void> {
  yield;
  done.push(name);
}

/** Work that needs `turns` turns of the event loop, because each slice takes longer than a burst may. */
function* long(name: string, done: string[], turns: number): Sliced<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const until = performance.now() + 9;
    while (performance.now() < until);
    yield;
  }
  done.push(name);
}

describe("work in slices", () => {
  it("short work is done at once", async () => {
    const { queue, done, bursts } = open();
    queue.add(short("a", done));
    expect(done).toEqual(["a"]);
    expect(await queue.finished()).toBe(true);
    expect(bursts()).toBe(0);
  });

  it("work behind long work waits for it, and the event loop runs in between", async () => {
    const { queue, done, bursts } = open();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    queue.add(long("long", done, 5));
    queue.add(short("short", done));
    expect(done).toEqual([]);
    expect(await queue.finished()).toBe(true);
    clearInterval(timer);
    expect(done).toEqual(["long", "short"]);
    expect(bursts()).toBeGreaterThanOrEqual(4);
    expect(turns).toBeGreaterThan(0);
  });

  it("work that is stopped is dropped, with all that waits behind it", async () => {
    let isStopped = false;
    const { queue, done } = open(() => isStopped);
    queue.add(long("long", done, 1000));
    queue.add(short("short", done));
    isStopped = true;
    expect(await queue.finished()).toBe(false);
    queue.add(short("late", done));
    expect(done).toEqual([]);
  });

  it("kept work is done all the same, in its order, also when it is added later", async () => {
    let isStopped = false;
    const { queue, done } = open(() => isStopped);
    queue.add(long("long", done, 1000));
    queue.add(short("kept", done), true);
    queue.add(short("dropped", done));
    isStopped = true;
    expect(await queue.finished()).toBe(false);
    queue.add(short("late", done), true);
    expect(done).toEqual(["kept", "late"]);
  });

  it("much short work behind long work is done in several bursts", async () => {
    const { queue, done, bursts } = open();
    queue.add(long("first", done, 2));
    for (let number = 0; number < 8; number += 1) queue.add(long(String(number), done, 1));
    await queue.finished();
    expect(done).toHaveLength(9);
    expect(bursts()).toBeGreaterThanOrEqual(8);
  });

  it("an error of long work rejects finished, and nothing else", async () => {
    const { queue, done } = open();
    queue.add(
      (function* () {
        yield* long("long", done, 2);
        throw new Error("broken");
      })(),
    );
    await new Promise((resolve) => setTimeout(resolve, 60));
    await expect(queue.finished()).rejects.toThrow("broken");
  });
});
