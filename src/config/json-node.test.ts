import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonNode, positionOf } from "./json-node.ts";

it("any JSON gives the value of JSON.parse, with or without blanks and a byte order mark", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom(undefined, 1, "\t"),
      fc.constantFrom("", "\uFEFF"),
      (value, space, mark) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJsonNode(`${mark}${text}\n`)).toMatchObject({ value: JSON.parse(text) });
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
      const node = parseJsonNode(text);
      const isTwice = "message" in node && node.message.includes("twice");
      expect("value" in node || isTwice).toBe(isJson(text));
    }),
    { seed: 6, numRuns: 5000 },
  );
});

it("every node has its offset", () => {
  const text = '{\n  "list": [10, {"deep": "x"}]\n}';
  const root = parseJsonNode(text);
  if ("message" in root) throw new Error(root.message);
  const list = root.members?.get("list");
  expect(positionOf(text, list?.keyOffset ?? -1)).toEqual({ line: 2, column: 3 });
  expect(positionOf(text, list?.node.items?.[1]?.members?.get("deep")?.node.offset ?? -1)).toEqual({
    line: 2,
    column: '  "list": [10, {"deep": "x"}]'.indexOf('"x"') + 1,
  });
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
    const mistake = parseJsonNode(text);
    if (!("message" in mistake)) throw new Error("it was read");
    const { line, column } = positionOf(text, mistake.offset);
    expect([`${line}:${column}`, mistake.message]).toEqual([place, message]);
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
