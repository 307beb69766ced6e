import { expect, it } from "vitest";
import { type LimitMark, markBelow } from "./run-tree.ts";

it("the marks of runs inside a run lie within its marks, to three levels", () => {
  const outer = must(markBelow("unlimited", "1-a.1"));
  const inner = must(markBelow(outer.limit, "2-b.1"));
  const innermost = must(markBelow(inner.limit, "3-c.1"));
  for (const [around, within] of [
    [outer, inner],
    [inner, innermost],
  ] as const) {
    expect(within.limit).toBeLessThan(around.limit);
    expect(within.least).toBeGreaterThanOrEqual(around.least);
  }
  expect(markBelow(innermost.limit, "4-d.1")).toBeUndefined();
});

it("the marks of a thousand runs do not overlap, and fit into the number of a shell", () => {
  const marks = Array.from({ length: 1000 }, (_, run) => must(markBelow("unlimited", `7-feed.${run}`)));
  const sorted = marks.toSorted((a, b) => (a.limit < b.limit ? -1 : 1));
  for (const [index, { least }] of sorted.entries()) expect(least > (sorted[index - 1]?.limit ?? 0n)).toBe(true);
  expect((sorted.at(-1)?.limit ?? 0n) < 2n ** 63n).toBe(true);
});

it("a limit that somebody else has set leaves no room for marks", () => {
  expect(markBelow(1000n, "1-a.1")).toBeUndefined();
  expect(markBelow(0n, "1-a.1")).toBeUndefined();
});

function must(mark: LimitMark | undefined): LimitMark {
  if (mark === undefined) throw new Error("no mark");
  return mark;
}
