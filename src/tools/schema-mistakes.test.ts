import { expect, test } from "vitest";
import type { JsonObject } from "../spec/json.ts";
import { findSchemaMistake } from "./schema-mistakes.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const inAge = (age: JsonObject): JsonObject => ({ type: "object", properties: { age } });

test.each([
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

test.each([
  [{}],
  [inAge({ type: "integer", "x-ui": true, format: "email", example: 1 })],
  [{ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { a: { type: "string" } }, $ref: "#/$defs/a" }],
  [{ $schema: DRAFT_7, definitions: { "a/b": { type: "string" } }, items: { $ref: "#/definitions/a~1b" } }],
])("a schema that can be used has no mistake: %j", (schema) => {
  expect(findSchemaMistake(schema)).toBeUndefined();
});
