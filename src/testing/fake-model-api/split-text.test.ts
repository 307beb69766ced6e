import { expect, test } from "vitest";
import { splitText } from "./fake-answer.ts";

test("a text is split into the requested number of pieces, none of them empty", () => {
  expect(splitText("abcdefgh", 4)).toEqual(["ab", "cd", "ef", "gh"]);
  expect(splitText("abc", 1)).toEqual(["abc"]);
  expect(splitText("abc", 9)).toEqual(["a", "b", "c"]);
  expect(splitText("", 4)).toEqual([]);
});

test("a text has four pieces, or pieces of 4,096 characters if it is long", () => {
  expect(splitText("abcdefgh")).toHaveLength(4);
  const pieces = splitText("x".repeat(100_000));
  expect(pieces).toHaveLength(25);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(4096);
});

test("no character is split", () => {
  const text = "a😀b👩‍🚀ç".repeat(7);
  for (let count = 1; count <= text.length + 1; count += 1) {
    const pieces = splitText(text, count);
    expect(pieces.join("")).toBe(text);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  }
});
