import { defined, isJsonObject, type JsonObject } from "../spec/json.ts";
import type { SchemaDialect } from "../spec/provider/provider-facts.ts";
import { fitRules, Inexpressible } from "./fit-rules.ts";
import { mapSubschemas, modernizeSchema, resolvePointer, visitSchemas } from "./subschemas.ts";

/** The schema that a CLI gets for the schema of a request. */
export type FittedSchema = {
  readonly schema: JsonObject;
  /** True if the value of the answer is below the key `value`. */
  readonly isWrapped: boolean;
  /** True if `null` in the answer may stand for an absent key. */
  readonly hasNulls: boolean;
};

/**
 * Translates a schema to what a CLI takes. It accepts every value that the schema of the request accepts, and may accept more, so
 * the answer must be validated. Only a dialect with closed objects refuses keys that an object does not name. Undefined if nothing useful is left: then the schema goes into the prompt.
 */
export function fitSchema(given: JsonObject, dialect: SchemaDialect | undefined): FittedSchema | undefined {
  if (dialect === undefined) return { schema: given, isWrapped: false, hasNulls: false };
  const modern = modernizeSchema(given);
  const isWrapped = dialect.root === "object" && !isPlainObject(modern);
  const whole = isWrapped ? wrap(modern) : modern;
  const { keywords } = dialect;
  if (keywords === undefined) return { schema: whole, isWrapped, hasNulls: false };
  try {
    const { schema } = fitRules(whole, { ...dialect, keywords });
    const value = isWrapped ? (schema["properties"] as JsonObject)["value"] : schema;
    if (!isJsonObject(value) || !saysSomething(value) || hasDeadReference(schema)) return undefined;
    return { schema, isWrapped, hasNulls: dialect.objects === "closed" };
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

/** Services refuse a tool whose arguments are not an object, or are a choice (`anyOf`) at their root. */
function isPlainObject(schema: JsonObject): boolean {
  return schema["type"] === "object" && !["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((keyword) => keyword in schema);
}

/** The schema of `{ "value": … }`; definitions stay at the root, where references look for them. */
function wrap(schema: JsonObject): JsonObject {
  const { $schema: _, $defs, definitions, ...rules } = moveReferences(schema);
  return {
    type: "object",
    properties: { value: rules },
    required: ["value"],
    additionalProperties: false,
    ...defined({ $defs, definitions }),
  };
}

function moveReferences(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonObject[string]] => {
    if (keyword === "$ref" && typeof value === "string") return [keyword, moveReference(value)];
    return [keyword, mapSubschemas(keyword, value, (below) => (isJsonObject(below) ? moveReferences(below) : below))];
  });
  return Object.fromEntries(entries);
}

function moveReference(reference: string): string {
  const isInside = reference === "#" || (reference.startsWith("#/") && !/^#\/(?:\$defs|definitions)\//.test(reference));
  return isInside ? `#/properties/value${reference.slice(1)}` : reference;
}

const SILENT: ReadonlySet<string> = new Set([
  ...["$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated", "description", "examples", "title"],
]);

function saysSomething(schema: JsonObject): boolean {
  return Object.keys(schema).some((keyword) => !SILENT.has(keyword));
}

/** A reference may point into a part that was left out or translated. */
function hasDeadReference(schema: JsonObject): boolean {
  let isDead = false;
  visitSchemas(schema, ({ $ref: reference }) => {
    if (typeof reference === "string" && resolvePointer(schema, reference) === undefined) isDead = true;
  });
  return isDead;
}
