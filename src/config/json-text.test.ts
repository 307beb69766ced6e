import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonText } from "./json-text.ts";

it("any JSON gives the value of JSON.parse, with or without blanks and a byte order mark", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom(undefined, 1, "\t"),
      fc.constantFrom("", "\uFEFF"),
      (value, space, mark) => {
        const text = JSON.stringify(value, null, space);
        expect(readJsonText(`${mark}${text}\n`)).toMatchObject({ value: JSON.parse(text) });
      },
    ),
    { seed: 5, numRuns: 500 },
  );
});

it("the parser accepts the same texts as JSON.parse, except duplicate members and raw blanks in strings", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    "1",
    "-0.5e3",
    "01",
    "+1",
    "true",
    "nul",
    " ",
    "\n",
    "//",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const text = pieces.join("");
      const node = readJsonText(text);
      const isTwice = "message" in node && node.message.includes("twice");
      expect("value" in node || isTwice).toBe(isJson(text));
    }),
    { seed: 6, numRuns: 5000 },
  );
});

it("every value and every name has its place; a path that leads nowhere has that of its last value", () => {
  const text = '{\n  "list": [10, {"deep": "x"}]\n}';
  const json = readJsonText(text);
  if ("message" in json) throw new Error(json.message);
  const line = '  "list": [10, {"deep": "x"}]';
  const columnOf = (piece: string): number => line.indexOf(piece) + 1;
  const message = "wrong";
  expect(json.place({ path: [], message })).toEqual({ line: 1, column: 1, message });
  expect(json.place({ path: ["list"], isName: true, message })).toEqual({ line: 2, column: 3, message });
  expect(json.place({ path: ["list", "0"], message })).toEqual({ line: 2, column: columnOf("10"), message });
  expect(json.place({ path: ["list", 1, "deep"], message })).toEqual({ line: 2, column: columnOf('"x"'), message });
  expect(json.place({ path: ["list", 1, "lost", 3], message })).toEqual({ line: 2, column: columnOf('{"deep"'), message });
});

describe("a mistake has its position and says what is wrong", () => {
  it.each([
    ['{"a": 1,}', "1:9", "property name expected"],
    ['{"a": 1\n "b": 2}', "2:2", "comma expected"],
    ['{"a" 1}', "1:6", "colon expected"],
    ["[1, 2", "1:6", "close bracket expected"],
    ["[1, ]", "1:5", "value expected"],
    ["", "1:1", "value expected"],
    ["{\n  // why\n}", "2:3", "invalid comment token"],
    ["{'a': 1}", "1:2", "invalid symbol"],
    ['{"a": "open}', "1:7", "unexpected end of string"],
    ['{"a": "\\q"}', "1:7", "invalid escape character"],
    ['{"a": "\t"}', "1:7", "invalid character"],
    ['{"a": 1, "a": 2}', "1:10", '"a" appears twice'],
    ["{} {}", "1:4", "end of file expected"],
    ["[".repeat(200), "1:102", "this is nested too deeply"],
  ])("%s", (text, place, message) => {
    const mistake = readJsonText(text);
    if (!("message" in mistake)) throw new Error("it was read");
    expect([`${mistake.line}:${mistake.column}`, mistake.message]).toEqual([place, message]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
