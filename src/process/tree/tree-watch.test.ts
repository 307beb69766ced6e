import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RunTree } from "./run-tree.ts";
import { TreeWatch } from "./tree-watch.ts";

let watch = new TreeWatch();
let looks = 0;
/** The processor time of one look. */
let costMs = 0;
let spentMs = 0;

beforeEach(() => {
  vi.useFakeTimers();
  watch = new TreeWatch();
  looks = 0;
  costMs = 1;
  vi.spyOn(process, "cpuUsage").mockImplementation((before) => ({ user: spentMs * 1000 - (before?.user ?? 0), system: 0 }));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("a tree is looked at once a second until it is removed", () => {
  const tree = countedTree();
  watch.add(tree);
  vi.advanceTimersByTime(5_500);
  expect(looks).toBe(5);
  watch.remove(tree);
  vi.advanceTimersByTime(5_000);
  expect(looks).toBe(5);
  expect(vi.getTimerCount()).toBe(0);
});

it("runs that end within a second cost no look, however many there are", () => {
  for (let run = 0; run < 20; run += 1) {
    const tree = countedTree();
    watch.add(tree);
    setTimeout(() => watch.remove(tree), 900);
    vi.advanceTimersByTime(300);
  }
  expect(looks).toBe(0);
});

it("a tool is looked at soon, also in the first second, and only while there is a tree", () => {
  watch.lookSoon();
  const tree = countedTree();
  watch.add(tree);
  vi.advanceTimersByTime(10);
  expect(looks).toBe(0);
  watch.lookSoon();
  watch.lookSoon();
  vi.advanceTimersByTime(10);
  expect(looks).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(looks).toBe(2);
});

it("looks are quick if they follow a complete one, and complete once a second also when tools never stop", () => {
  const tree = countedTree();
  watch.add(tree);
  for (let at = 0; at < 10_000; at += 100) {
    watch.lookSoon();
    vi.advanceTimersByTime(100);
  }
  expect(vi.mocked(tree.look).mock.calls.length).toBeGreaterThanOrEqual(9);
  expect(vi.mocked(tree.look).mock.calls.length).toBeLessThanOrEqual(12);
  expect(vi.mocked(tree.lookQuickly).mock.calls.length).toBeGreaterThan(50);
});

it.each([1, 5, 50])("looks that take %d ms take less than 1 %% of the time, also with a tool every 10 ms", (cost) => {
  costMs = cost;
  watch.add(countedTree());
  for (let at = 0; at < 100_000; at += 10) {
    watch.lookSoon();
    vi.advanceTimersByTime(10);
  }
  expect((looks * cost) / 100_000).toBeLessThan(0.01);
  expect(looks).toBeGreaterThanOrEqual(Math.floor(800 / cost));
});

function countedTree(): RunTree {
  const tree = new RunTree("test");
  const look = (): readonly never[] => {
    looks += 1;
    spentMs += costMs;
    return [];
  };
  vi.spyOn(tree, "look").mockImplementation(look);
  vi.spyOn(tree, "lookQuickly").mockImplementation(look);
  return tree;
}
