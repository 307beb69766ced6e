import { describe, expect, it } from "vitest";
import { z } from "zod";
import { minimalInstance } from "../rehearsal/minimal-instance.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { FORMATS } from "./schema-formats.ts";
import { toJsonSchema } from "./standard-schema.ts";
import { compileSchema } from "./validate-schema.ts";

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
