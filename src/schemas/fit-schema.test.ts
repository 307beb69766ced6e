import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { claude } from "../clis/claude/provider.ts";
import { codex } from "../clis/codex/provider.ts";
import { qwen } from "../clis/qwen/provider.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { fitSchema } from "./fit-schema.ts";
import { toJsonSchema } from "./standard-schema.ts";

const UUID = "3f0c2c9e-9d53-4a52-8a6e-0a6f4f1d2c3b";

/** Schemas as people write them, with a value that each accepts. */
const ORDINARY: Readonly<Record<string, readonly [schema: JsonObject, value: JsonValue]>> = {
  "formats of Zod": [
    toJsonSchema(z.object({ mail: z.email(), page: z.url(), id: z.uuid(), day: z.iso.date(), at: z.iso.datetime() })),
    { mail: "a@b.org", page: "https://b.org", id: UUID, day: "2026-02-28", at: "2026-02-28T10:00:00Z" },
  ],
  "a tuple of Zod": [toJsonSchema(z.object({ at: z.tuple([z.string(), z.number()]) })), { at: ["a", 1] }],
  "a tuple with a rest": [toJsonSchema(z.object({ at: z.tuple([z.string()], z.number()) })), { at: ["a", 1, 2] }],
  "a tuple of draft 7": [object({ at: { type: "array", items: [{ type: "string" }] } }), { at: ["a", 5] }],
  "keywords of OpenAPI": [object({ a: { type: "string", "x-ui": 1, example: "q", nullable: true } }), { a: null }],
  "nullable without a type": [object({ a: { anyOf: [{ type: "string" }], nullable: true } }), { a: null }],
  "the draft of Zod": [toJsonSchema(z.object({ a: z.string() })), { a: "b" }],
  "a list": [toJsonSchema(z.array(z.object({ a: z.email() }))), [{ a: "a@b.org" }]],
  "a union": [toJsonSchema(z.union([z.object({ a: z.string() }), z.object({ b: z.number() })])), { b: 1 }],
  "a discriminated union with formats": [
    toJsonSchema(z.discriminatedUnion("k", [z.object({ k: z.literal("a"), m: z.email() }), z.object({ k: z.literal("b") })])),
    { k: "b" },
  ],
  "a root reference": [{ $ref: "#/definitions/a", definitions: { a: object({ b: { type: "string" } }) } }, { b: "c" }],
  "a tree": [
    { ...object({ name: { type: "string", format: "email" } }), properties: { name: { type: "string" }, of: { $ref: "#" } } },
    { name: "a", of: { name: "b" } },
  ],
  "a list that refers to itself": [{ type: "array", items: { $ref: "#" } }, [[], [[]]]],
  "a condition on a format": [
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      if: { properties: { a: { format: "email" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["b"] },
    },
    { a: "no mail" },
  ],
  "not a format": [object({ a: { type: "string", not: { format: "email" } } }), { a: "no mail" }],
  "newer keywords": [
    {
      ...object({ a: { type: "array", contains: { type: "number" }, minContains: 0 } }),
      dependentRequired: { a: ["b"] },
      properties: { a: { type: "array", contains: { type: "number" }, minContains: 0 }, b: { type: "string" } },
      unevaluatedProperties: false,
    },
    { a: [], b: "c" },
  ],
  "a pattern that needs JavaScript": [object({ a: { type: "string", pattern: "^[\\w-.]+$" } }), { a: "a.b" }],
  "names by such a pattern": [
    { type: "object", patternProperties: { "^[\\w-.]+$": { type: "number" } }, additionalProperties: false },
    { "a.b": 1 },
  ],
  "repeated values": [object({ a: { enum: ["a", "a"], type: ["string", "string"] } }), { a: "a" }],
  "bounds of draft 4": [object({ a: { type: "number", minimum: 1, exclusiveMinimum: true } }), { a: 2 }],
};

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}

describe.each([claude, qwen])("a schema for $label", ({ schemaDialect }) => {
  // As the CLI compiles it: strict, and without formats of its own.
  const ajv = (): Ajv =>
    new Ajv({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false, formats: FORMATS });
  const FORMATS = Object.fromEntries((schemaDialect?.formats ?? []).map((name) => [name, true] as const));

  it.each(Object.entries(ORDINARY))("%s: compiles strictly and accepts what the original accepts", (_what, [schema, value]) => {
    const fitted = fitSchema(schema, schemaDialect);
    expect(fitted?.schema["type"]).toBe("object");
    const validate = ajv().compile(fitted?.schema ?? false);
    validate(fitted?.isWrapped === true ? { value } : value);
    expect(validate.errors ?? []).toEqual([]);
  });
});

describe("what a CLI cannot take is translated", () => {
  const translate = (schema: JsonObject): JsonValue | undefined => fitSchema(schema, claude.schemaDialect)?.schema;

  it("a format becomes a pattern and a description", () => {
    expect(translate(object({ a: { type: "string", format: "email", description: "The sender." } }))).toEqual(
      object({ a: { type: "string", pattern: "^\\S+@[^\\s@]+$", description: "The sender. Format: email." } }),
    );
  });

  it("a tuple becomes a list, and the description has its places", () => {
    const at = { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false };
    expect(translate(object({ at }))).toEqual(
      object({
        at: {
          type: "array",
          items: { anyOf: [{ type: "string" }, { type: "number" }] },
          maxItems: 2,
          description: `Its first items, in this order, match these JSON Schemas: ${JSON.stringify(at.prefixItems)}`,
        },
      }),
    );
  });

  it("other demands are in the description, other keywords are dropped", () => {
    expect(translate({ ...object({ a: { type: "string", "x-ui": 1 } }), dependentRequired: { a: ["b"] } })).toEqual({
      ...object({ a: { type: "string" } }),
      description: 'It must also match this JSON Schema: {"dependentRequired":{"a":["b"]}}',
    });
  });

  it("a property may have the name of a keyword", () => {
    const schema = object({ format: { type: "string" }, "x-ui": { type: "string" }, nullable: { type: "boolean" } });
    expect(translate(schema)).toEqual(schema);
  });

  it.each<[what: string, schema: JsonObject]>([
    ["anything", {}],
    ["a description alone", { description: "Anything." }],
    ["a reference to an anchor", object({ a: { $ref: "#here" } })],
    [
      "a reference into a tuple",
      object({ a: { type: "array", prefixItems: [{ type: "string" }] }, b: { $ref: "#/properties/a/prefixItems/0" } }),
    ],
  ])("nothing is left of %s: it goes by text", (_what, schema) => {
    expect(translate(schema)).toBeUndefined();
  });

  it("without a dialect a schema is passed as it is", () => {
    const schema = { type: "array", "x-ui": 1 };
    expect(fitSchema(schema, undefined)).toEqual({ schema, isWrapped: false, hasNulls: false });
  });
});

describe("a schema for Codex", () => {
  const translate = (schema: JsonObject): JsonValue | undefined => fitSchema(schema, codex.schemaDialect)?.schema;

  it("has closed objects with all keys; an optional one may be null", () => {
    const schema = z.object({ a: z.string(), b: z.number().optional(), c: z.enum(["x", "y"]).default("x") });
    expect(translate(toJsonSchema(schema))).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: ["number", "null"] },
        c: { anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] },
      },
      required: ["a", "b", "c"],
      additionalProperties: false,
    });
  });

  it.each<[what: string, schema: JsonObject]>([
    ["a map", toJsonSchema(z.object({ of: z.record(z.string(), z.number()) }))],
    ["an unknown value", toJsonSchema(z.object({ any: z.unknown() }))],
    ["a property of any value", object({ a: true, b: { type: "string" } })],
    ["a property that must not be there", object({ a: { type: "object", properties: { b: false } } })],
    ["a list of any items", object({ a: { type: "array", items: true } })],
    ["a choice with any value", object({ a: { anyOf: [{ type: "string" }, true] } })],
    ["an open object", object({ a: { type: "object" } })],
    ["all of several schemas", { type: "object", allOf: [object({ a: { type: "string" } }), object({ b: { type: "string" } })] }],
    ["a list of anything", object({ a: { type: "array" } })],
    ["a key without a schema", { ...object({ a: { type: "string" } }), required: ["a", "b"] }],
  ])("%s goes by text", (_what, schema) => {
    expect(translate(schema)).toBeUndefined();
  });
});

it("a CLI that takes every keyword gets those of draft 2020-12", () => {
  const schema = { type: "array", items: [{ type: "string", nullable: true }] };
  expect(fitSchema(schema, { root: "any" })?.schema).toEqual({ type: "array", prefixItems: [{ type: ["string", "null"] }] });
});
