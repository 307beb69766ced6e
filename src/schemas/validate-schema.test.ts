import { describe, expect, it } from "vitest";
import { z } from "zod";
import { minimalInstance } from "../rehearsal/minimal-instance.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { describeMistake, FORMATS } from "./compile-schema.ts";
import { toJsonSchema } from "./standard-schema.ts";
import { compileSchema, findSchemaMistake } from "./validate-schema.ts";

describe("a value is validated by its whole schema", () => {
  it.each<[what: string, schema: JsonObject, good: JsonValue, bad: JsonValue]>([
    ["a pattern that only JavaScript without u accepts", { type: "string", pattern: "^[\\w-.]+$" }, "a.b", "a b"],
    ["names by such a pattern", { patternProperties: { "^[\\w-.]+$": { type: "number" } } }, { "a.b": 1 }, { "a.b": "1" }],
    ["a pattern with u", { type: "string", pattern: "^\\p{L}$" }, "ä", "1"],
    ["an email", { format: "email" }, "a@b.org", "a at b"],
    ["a date", { format: "date" }, "2026-02-28", "tomorrow"],
    ["a date with a time", { format: "date-time" }, "2026-02-28T10:00:00.5+01:00", "2026-02-28"],
    ["a URI", { format: "uri" }, "mailto:a@b.org", "b.org/x"],
    ["a UUID", { format: "uuid" }, "3f0c2c9e-9d53-4a52-8a6e-0a6f4f1d2c3b", "3f0c2c9e"],
    ["a tuple of draft 7 without its draft", { items: [{ type: "string" }], additionalItems: false }, ["a"], ["a", "b"]],
    ["nullable with a type", { type: "string", nullable: true }, null, 1],
    ["nullable without a type", { anyOf: [{ type: "string" }], nullable: true }, null, 1],
    ["an exclusive bound of draft 4", { minimum: 1, exclusiveMinimum: true }, 2, 1],
  ])("%s", (_what, schema, good, bad) => {
    const check = compileSchema(schema);
    expect(check(good).problems).toEqual([]);
    expect(check(bad).problems).not.toEqual([]);
  });

  it("an unknown format is not checked", () => {
    expect(compileSchema({ format: "postcode" })("x").problems).toEqual([]);
  });
});

describe("defaults", () => {
  const schema = toJsonSchema(z.object({ a: z.string(), n: z.number().default(3) }));

  it("are filled in, and the given value stays as it is", () => {
    const given = { a: "b" };
    expect(compileSchema(schema)(given).value).toEqual({ a: "b", n: 3 });
    expect(given).toEqual({ a: "b" });
  });

  it("are filled in where the schema demands the key", () => {
    expect(compileSchema({ ...schema, required: ["a", "n"] })({ a: "b" })).toMatchObject({
      value: { a: "b", n: 3 },
      problems: [],
    });
  });
});

it.each([...FORMATS.keys()])("the rehearsal CLI makes a value of the format %s", (format) => {
  expect(compileSchema({ format })(minimalInstance({ type: "string", format })).problems).toEqual([]);
});

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

describe("a mistake in a schema is named with its place", () => {
  it.each<[what: string, schema: JsonObject, mistake: RegExp]>([
    ["an unknown type", { properties: { a: { type: "strin" } } }, /^\/properties\/a\/type: "strin" is not one of .*string/],
    ["an unknown type at the root", { type: "strin" }, /^\/type: "strin" is not one of/],
    [
      "a dead reference",
      { properties: { a: { $ref: "#/$defs/no" } } },
      /^\/properties\/a\/\$ref: #\/\$defs\/no leads to nothing$/,
    ],
    ["a broken pattern", { items: { pattern: "(" } }, /^\/items\/pattern: Invalid regular expression/],
    ["a broken name", { patternProperties: { "a/(": {} } }, /^\/patternProperties\/a~1\(: Invalid regular expression/],
    ["properties that are a list", { properties: { a: { properties: [] } } }, /^\/properties\/a\/properties: must be object/],
    ["a property that is a text", { properties: { "a/b": "string" } }, /^\/properties\/a~1b: must be object,boolean/],
    ["a bound that is a text", { properties: { a: { minimum: "1" } } }, /^\/properties\/a\/minimum: must be number/],
    ["required that is a text", { required: "a" }, /^\/required: must be array/],
    ["items that are a number", { $schema: DRAFT_7, items: 5 }, /^\/items: must be/],
    ["a place of a tuple", { items: [{ type: "strin" }] }, /^\/items\/0\/type: "strin" is not one of/],
  ])("%s", (_what, schema, mistake) => {
    const found = findSchemaMistake(schema);
    expect(found && describeMistake(found)).toMatch(mistake);
  });

  it.each<[what: string, schema: JsonObject]>([
    ["anything", {}],
    ["unknown keywords", { type: "object", "x-ui": true, format: "email", example: 1 }],
    ["a property with the name of a keyword", { properties: { $ref: { type: "string" }, pattern: { type: "string" } } }],
    ["definitions", { $schema: DRAFT_7, definitions: { "a/b": { type: "string" } }, items: { $ref: "#/definitions/a~1b" } }],
    ["an example that looks like a mistake", { examples: [{ $ref: "#/no", pattern: "(" }] }],
  ])("%s: there is none", (_what, schema) => {
    expect(findSchemaMistake(schema)).toBeUndefined();
  });
});

const inAge = (age: JsonObject): JsonObject => ({ type: "object", properties: { age } });

it.each([
  [
    "a type that does not exist",
    inAge({ type: "interger" }),
    ["properties", "age", "type"],
    /^"interger" is not one of .*integer/,
  ],
  ["a keyword of the wrong type", inAge({ minimum: "0" }), ["properties", "age", "minimum"], /must be number/],
  ["a list that is none", { required: "age" }, ["required"], /must be array/],
  ["a reference to nothing", inAge({ $ref: "#/$defs/age" }), ["properties", "age", "$ref"], /leads to nothing/],
  ["a pattern that is none", inAge({ pattern: "(" }), ["properties", "age", "pattern"], /Invalid regular expression/],
  ["a mistake in an older draft", { $schema: DRAFT_7, items: 5 }, ["items"], /must be/],
])("%s is found with its place", (_what, schema: JsonObject, path, message) => {
  expect(findSchemaMistake(schema)).toEqual({ path, message: expect.stringMatching(message) });
});

it.each([
  [{}],
  [inAge({ type: "integer", "x-ui": true, format: "email", example: 1 })],
  [{ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { a: { type: "string" } }, $ref: "#/$defs/a" }],
  [{ $schema: DRAFT_7, definitions: { "a/b": { type: "string" } }, items: { $ref: "#/definitions/a~1b" } }],
])("a schema that can be used has no mistake: %j", (schema) => {
  expect(findSchemaMistake(schema)).toBeUndefined();
});
