import { describe, expect, it } from "vitest";
import { fitSchema } from "../schemas/fit-schema.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { PartialObject } from "./partial-object.ts";

const ANY = { type: "object" } as const;

/** The values that a text gives, one look after each piece. */
function valuesOf(pieces: Iterable<string>, outputSchema: JsonObject = ANY, hasTools = false): readonly JsonValue[] {
  const partial = new PartialObject({ outputSchema, hasTools });
  return look(partial, pieces);
}

function look(partial: PartialObject, pieces: Iterable<string>): readonly JsonValue[] {
  return [...pieces].flatMap((piece) => {
    partial.push("message", piece);
    const value = partial.next();
    return value === undefined ? [] : [value];
  });
}

describe("the value so far of a structured answer", () => {
  it("has complete members, and strings as far as they go", () => {
    const pieces = ['{"city":"O', 'slo","deg', 'rees":3', '.5,"isCold":tr', 'ue,"near":["Ber', 'gen",{"a":nu', "ll}]        }"];
    expect(valuesOf(pieces)).toEqual([
      { city: "O" },
      { city: "Oslo" },
      { city: "Oslo", degrees: 3.5 },
      { city: "Oslo", degrees: 3.5, isCold: true, near: ["Ber"] },
      { city: "Oslo", degrees: 3.5, isCold: true, near: ["Bergen", {}] },
      { city: "Oslo", degrees: 3.5, isCold: true, near: ["Bergen", { a: null }] },
    ]);
  });

  it("only grows, at every cut of the text, and ends with the whole value", () => {
    const value = {
      'a\n"b\\': ["é", "\ud83d\ude00 and \\", "}{][", [], {}, [[1.5e-7, -0.5]]],
      constructor: { toString: "x" },
      last: [true, false, null, "tail"],
    };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), escaped(JSON.stringify(value))]) {
      const values = valuesOf(text);
      expect(values.at(-1)).toEqual(value);
      for (const [at, later] of values.slice(1).entries()) expect(isContinued(values[at] ?? null, later)).toBe(true);
      for (const each of values) expect(JSON.stringify(each)).not.toMatch(/\\ud83d/);
    }
  });

  it.each<[where: string, text: string]>([
    ["in a fence", 'Here you are:\n\n```json\n{"a":1}\n```\n\nGood luck.'],
    ["bare behind prose with brackets", 'The {answer} of [1]:\n\n  {"a":1}\n\nGood luck {and} [all].'],
    ["behind a line that begins with a list", '[1] is the source.\n{"a":1}'],
  ])("is found %s", (_where, text) => {
    expect(valuesOf(text)).toEqual([{ a: 1 }]);
  });

  it("may be a list if the schema wants one", () => {
    expect(valuesOf("[1,2,3]", { type: "array" })).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  it.each<[what: string, text: string]>([
    ["prose", "It is cold in [Oslo] and {elsewhere}."],
    ["a line in braces", "{This is} no JSON at all.\n"],
    ["nothing in it", "{}"],
    ["quotes of another language", "{'city': 'Oslo'}"],
    ["a number that JSON does not have", '{"a":NaN,"b":2}'],
    ["a key that changes what an object inherits", '{"__proto__":{"isAdmin":true},"b":2}'],
    ["the same key in escapes", '{"\\u005f_proto__":{"isAdmin":true},"b":2}'],
    ["too many levels", `{"a":${"[".repeat(5_000)}`],
  ])("is nothing for %s", (_what, text) => {
    expect(valuesOf([text.slice(0, -1), text.slice(-1)])).toEqual([]);
  });

  it("is nothing for a call of a host tool", () => {
    const call = '{"mark":"x","tool_calls":[{"name":"get_weather","args":{"city":"Oslo"}}]}';
    expect(valuesOf(call, ANY, true)).toEqual([]);
    expect(valuesOf(`\`\`\`json\n${call}\n\`\`\``, ANY, true)).toEqual([]);
    expect(valuesOf(call, ANY, false).length).toBeGreaterThan(1);
  });

  it("begins again with another message, and after a reset", () => {
    const partial = new PartialObject({ outputSchema: ANY, hasTools: false });
    partial.push("first", '{"a":"x');
    expect(partial.next()).toEqual({ a: "x" });
    partial.push("second", '{"b":"y');
    expect(partial.next()).toEqual({ b: "y" });
    partial.forget("second");
    partial.push("second", '{"c":"z');
    expect(partial.next()).toEqual({ c: "z" });
  });

  it("is unwrapped, and has no null where the schema refuses it, as the value of the CLI is read", () => {
    const dialect = {
      keywords: ["type", "properties", "required", "items", "anyOf"],
      root: "object",
      objects: "closed",
    } as const;
    const item = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, additionalProperties: false };
    const outputSchema: JsonObject = { type: "array", items: item };
    const partial = new PartialObject({ outputSchema, native: fitSchema(outputSchema, dialect), hasTools: false });
    expect(look(partial, ['{"value":[', '{"a":"x","b":null}', ',{"a":"y"', "}]}"])).toEqual([
      [{ a: "x" }],
      [{ a: "x" }, { a: "y" }],
    ]);
  });

  it("is read a bounded number of times, and not at all when it is very long", () => {
    const long = JSON.stringify({ items: Array.from({ length: 4_000 }, (_, index) => `item number ${index}`) });
    expect(valuesOf(long.match(/.{1,7}/g) ?? []).length).toBeLessThan(120);
    const longer = JSON.stringify({ text: "x".repeat(300_000) });
    expect(valuesOf([longer.slice(0, 100_000), longer.slice(100_000)])).toHaveLength(1);
  });
});

/** The same JSON with every character outside ASCII as an escape. */
function escaped(json: string): string {
  return json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isContinued(before: JsonValue, later: JsonValue): boolean {
  if (typeof before === "string") return typeof later === "string" && later.startsWith(before);
  if (typeof before !== "object" || before === null) return before === later;
  return Object.entries(before).every(([key, value]) => isContinued(value, (later as JsonObject)[key] ?? null));
}
