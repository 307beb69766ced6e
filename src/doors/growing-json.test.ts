import { array, assert, integer, jsonValue, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePartial } from "../answers/partial-object.ts";
import type { JsonValue } from "../spec/json.ts";
import { GrowingJson } from "./growing-json.ts";

/** The pieces that are written while the text of a value grows by so many characters at a time. */
function piecesOf(value: JsonValue, by = 1): readonly string[] {
  const text = JSON.stringify(value);
  const growing = new GrowingJson();
  const pieces: string[] = [];
  for (let length = 1; length < text.length; length += by) {
    const soFar = parsePartial(text.slice(0, length));
    if (soFar !== undefined) pieces.push(growing.grow(soFar));
  }
  return [...pieces, growing.end(value)];
}

describe("a growing JSON value", () => {
  it("its pieces are the JSON of the value, and the last string is shown while it grows", () => {
    const pieces = piecesOf({ name: "Oslo", people: 700_000, isBig: true, boats: ["a", "b"], none: null });
    expect(pieces.filter((piece) => piece !== "").slice(0, 4)).toEqual(["{", '"name":"', "O", "s"]);
    expect(pieces.join("")).toBe('{"name":"Oslo","people":700000,"isBig":true,"boats":["a","b"],"none":null}');
  });

  it("a number and half of a character are not shown before they are complete", () => {
    const growing = new GrowingJson();
    expect(growing.grow({ n: 1, s: "\uD83D" })).toBe('{"n":1,"s":"');
    expect(growing.grow({ n: 1, s: "😀" })).toBe("😀");
    expect(growing.grow({ n: 1, s: "😀", m: 12 })).toBe('","m":');
    expect(growing.end({ n: 1, s: "😀", m: 123 })).toBe("123}");
  });

  it("keys keep the order in which they were shown, also if they are numbers", () => {
    const growing = new GrowingJson();
    const pieces = [growing.grow({ b: "x" }), growing.grow({ b: "x", 10: "y" }), growing.grow({ b: "x", 10: "y", 2: "z" })];
    expect(pieces.join("") + growing.end({ b: "x", 10: "y", 2: "z" })).toBe('{"b":"x","10":"y","2":"z"}');
  });

  it("a value that does not continue the one before it is an error", () => {
    const growing = new GrowingJson();
    growing.grow({ name: "Oslo" });
    expect(growing.grow({ name: "Os" })).toBe("");
    expect(() => growing.grow({ name: "Bergen" })).toThrow("changed after a part");
  });

  it("the pieces of any value together are a JSON text of it", () => {
    const values = array(record({ key: string(), value: jsonValue({ maxDepth: 2 }) }), { maxLength: 4 });
    const check = property(values, integer({ min: 1, max: 9 }), (given, by) => {
      const text = JSON.stringify(given);
      expect(JSON.parse(piecesOf(JSON.parse(text), by).join(""))).toEqual(JSON.parse(text));
    });
    void assert(check, { numRuns: 60 });
  });
});
