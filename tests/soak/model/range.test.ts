import { expect, it } from "vitest";
import { exactly, isAtLeast, isOver, minus, plus, UndecidedError } from "./range.ts";

const RANGE = { min: 10, max: 20 };

it.each([
  [10, true],
  [9, true],
  [21, false],
])("a number between 10 and 20 is at least %i: %s", (bound, answer) => {
  expect(isAtLeast(RANGE, exactly(bound), "")).toBe(answer);
});

it.each([
  [9, true],
  [20, false],
])("a number between 10 and 20 is over %i: %s", (bound, answer) => {
  expect(isOver(RANGE, exactly(bound), "")).toBe(answer);
});

it.each([11, 20])("whether a number between 10 and 20 is at least %i is undecided", (bound) => {
  expect(() => isAtLeast(RANGE, exactly(bound), "")).toThrow(UndecidedError);
});

it.each([10, 19])("whether a number between 10 and 20 is over %i is undecided", (bound) => {
  expect(() => isOver(RANGE, exactly(bound), "")).toThrow(UndecidedError);
});

it("sums and differences keep every possible value, and are never below zero", () => {
  expect(plus(RANGE, { min: 1, max: 2 })).toEqual({ min: 11, max: 22 });
  expect(minus(RANGE, { min: 1, max: 12 })).toEqual({ min: 0, max: 19 });
});
