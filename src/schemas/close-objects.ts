import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import { orNull } from "./modernize-schema.ts";

/** Thrown for a schema that a dialect cannot express, not even in part. */
export class Inexpressible extends Error {}

/** The rules with a type, and with closed objects: they have only the keys that are named, and all of them, optional ones as `null`. */
export function closeObjects(rules: JsonObject, schema: JsonObject): JsonObject {
  const { $ref: reference } = rules;
  if (reference !== undefined) return { $ref: reference };
  const types = typesOf(rules);
  if (types.length === 0 && !("anyOf" in rules)) throw new Inexpressible("A schema without a type.");
  if (types.includes("array") && !("items" in rules)) throw new Inexpressible("A list of anything.");
  const typed = { ...rules, ...(types.length > 0 && { type: types.length === 1 ? (types[0] ?? "") : types }) };
  return types.includes("object") ? { ...typed, ...closedProperties(rules, schema) } : typed;
}

/** Rules that can demand keys which are not among the properties. */
const WIDENING: readonly string[] = [
  ...["allOf", "anyOf", "dependencies", "dependentSchemas", "if", "oneOf", "patternProperties"],
];

function closedProperties(rules: JsonObject, schema: JsonObject): JsonObject {
  const properties = isJsonObject(rules["properties"]) ? rules["properties"] : {};
  const { additionalProperties = !("properties" in rules), required } = schema;
  if (additionalProperties !== false || WIDENING.some((keyword) => keyword in schema)) throw new Inexpressible("An open object.");
  const demanded: readonly JsonValue[] = Array.isArray(required) ? required : [];
  if (!demanded.every((name) => Object.hasOwn(properties, String(name)))) throw new Inexpressible("A key without a schema.");
  const all = Object.entries(properties).map(([name, property]): [string, JsonValue] => [
    name,
    demanded.includes(name) || !isJsonObject(property) ? property : orAbsent(property),
  ]);
  return { properties: Object.fromEntries(all), required: all.map(([name]) => name), additionalProperties: false };
}

/** A list of values excludes null even if the type allows it. */
function orAbsent(schema: JsonObject): JsonObject {
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] };
  const isListed = "enum" in schema || "const" in schema || "$ref" in schema;
  return isListed ? { anyOf: [schema, { type: "null" }] } : orNull(schema);
}

function typesOf({ type, enum: listed, const: only, properties }: JsonObject): readonly string[] {
  if (type !== undefined) return [type].flat().map(String);
  const values = Array.isArray(listed) ? listed : only === undefined ? [] : [only];
  if (values.length === 0) return properties === undefined ? [] : ["object"];
  return [...new Set(values.map(typeOf))];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
