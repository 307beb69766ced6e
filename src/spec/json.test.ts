import { expect, it } from "vitest";
import { DEEPEST_JSON, isTooDeep, parseJson } from "./json.ts";

const nested = (levels: number, inside = "1"): string => `${'{"a":'.repeat(levels)}${inside}${"}".repeat(levels)}`;
const listed = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

it("a text with as many levels as allowed is parsed, and one with one level more is not", () => {
  expect(parseJson(nested(DEEPEST_JSON))).toEqual(JSON.parse(nested(DEEPEST_JSON)));
  expect(parseJson(listed(DEEPEST_JSON))).toEqual(JSON.parse(listed(DEEPEST_JSON)));
  expect(parseJson(nested(DEEPEST_JSON + 1))).toBeUndefined();
  expect(parseJson(listed(DEEPEST_JSON + 1))).toBeUndefined();
});

it("brackets in strings are no levels", () => {
  const text = JSON.stringify({ code: '{[ "quoted" \\" \\\\'.repeat(2_000), "key {[{[": ["[".repeat(2_000), '\\"'] });
  expect(isTooDeep(text)).toBe(false);
  expect(parseJson(text)).toEqual(JSON.parse(text));
  const deep = nested(DEEPEST_JSON + 1, JSON.stringify('\\"{['.repeat(1_000)));
  expect(isTooDeep(deep)).toBe(true);
});

it("many values side by side are not deep", () => {
  const text = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => [{ index }]));
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it("a level in the middle of a long text counts", () => {
  const wide = JSON.stringify(Array.from({ length: 2_000 }, () => ({}))).slice(1, -1);
  expect(isTooDeep(`[${wide},${listed(DEEPEST_JSON)},${wide}]`)).toBe(true);
  expect(isTooDeep(`[${wide},${listed(DEEPEST_JSON - 1)},${wide}]`)).toBe(false);
});

it("texts that are not JSON are undefined", () => {
  for (const text of ["", "{", "nope", '"', `"${"{".repeat(2_000)}`, "}".repeat(2_000), `${"[".repeat(3_000)}`])
    expect(parseJson(text)).toBeUndefined();
});

it("keys that every object inherits are data", () => {
  const value = parseJson('{"__proto__":{"a":1},"constructor":2,"toString":3}');
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "toString"]);
});
