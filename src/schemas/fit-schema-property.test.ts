import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readNativeObject } from "../answers/read-object.ts";
import { claude } from "../clis/claude/provider.ts";
import { codex } from "../clis/codex/provider.ts";
import { qwen } from "../clis/qwen/provider.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { fitSchema } from "./fit-schema.ts";
import { compileSchema } from "./validate-schema.ts";

const NAMES = ["a", "b", "format", "x-ui"] as const;
const name = fc.constantFrom(...NAMES);

const { schema: schemas } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(name, tie("schema"), { maxKeys: 3 });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<JsonObject>(
        { type: "string" },
        { type: "string", format: "email", "x-ui": 1 },
        { type: "integer", minimum: 1, example: 2 },
        { type: "string", nullable: true },
        { enum: ["a", "a", 1] },
        { const: null },
        { type: "string", pattern: "^[\\w-.]$" },
        {},
      ),
      fc.record<JsonObject>({
        type: fc.constant("object"),
        properties: map,
        required: fc.uniqueArray(name, { maxLength: 1 }),
        additionalProperties: fc.constantFrom(true, false),
      }),
      fc.record<JsonObject>({ type: fc.constant("array"), items: tie("schema") }),
      fc.record<JsonObject>({ type: fc.constant("array"), prefixItems: list, items: fc.constantFrom(true, false) }),
      fc.record<JsonObject>({ type: fc.constant("array"), items: list }),
      fc.record<JsonObject>({ anyOf: list, nullable: fc.boolean() }),
      fc.record<JsonObject>({ oneOf: list }),
      fc.record<JsonObject>({ allOf: list }),
      fc.record<JsonObject>({ not: tie("schema") }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      fc.record<JsonObject>({ if: tie("schema"), then: tie("schema") }),
      fc.record<JsonObject>({ type: fc.constant("object"), dependentSchemas: map, patternProperties: map }),
    ),
  } as never;
});

const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonValue>("a", "a@b.org", 1, 0, null, true, "."),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ) as never,
}));

it.each([claude, qwen])("whatever a schema accepts, its translation for $label accepts", ({ schemaDialect }) => {
  const formats = { email: true } as const;
  const ajv = new Ajv({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false, formats });
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 20 }), (schema, given) => {
      const fitted = fitSchema(schema, schemaDialect);
      if (fitted === undefined) return;
      const validate = ajv.compile(fitted.schema);
      const check = compileSchema(schema);
      for (const value of given.filter((one) => check(one).problems.length === 0)) {
        validate(fitted.isWrapped ? { value } : value);
        expect(validate.errors ?? []).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

it("a value that the schema accepts stays as it is when it is read from Codex", () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 20 }), (schema, given) => {
      const native = fitSchema(schema, codex.schemaDialect);
      if (native === undefined) return;
      const check = compileSchema(schema);
      for (const value of given.filter((one) => check(one).problems.length === 0)) {
        const said = native.isWrapped ? { value } : value;
        expect(readNativeObject(said, { check, outputSchema: schema, native })).toEqual({ value });
      }
    }),
    { numRuns: 150 },
  );
});
