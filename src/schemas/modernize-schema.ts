import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import { mapSubschemas } from "./subschemas.ts";

/**
 * The same schema in the words of draft 2020-12: tuples as `prefixItems`, OpenAPI's `nullable` as a type, exclusive bounds as
 * numbers; without the words of old drafts that have no meaning here (`id`, a boolean `required`).
 */
export function modernizeSchema(schema: JsonObject): JsonObject {
  return modernize(schema) as JsonObject;
}

function modernize(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { nullable, id, additionalItems, ...rules } = schema;
  const below = Object.entries(rules).map(([keyword, value]): [string, JsonValue] => [
    keyword,
    mapSubschemas(keyword, value, modernize),
  ]);
  const next: Record<string, JsonValue> = Object.fromEntries(below);
  if (typeof id !== "string" && id !== undefined) next["id"] = id;
  if (Array.isArray(next["items"])) {
    next["prefixItems"] = next["items"];
    delete next["items"];
    if (additionalItems !== undefined) next["items"] = modernize(additionalItems);
  }
  if (typeof next["required"] === "boolean") delete next["required"];
  makeExclusive(next, "minimum", "exclusiveMinimum");
  makeExclusive(next, "maximum", "exclusiveMaximum");
  return nullable === true ? orNull(next) : next;
}

/** Draft 4 has `minimum: 0, exclusiveMinimum: true`. */
function makeExclusive(rules: Record<string, JsonValue>, bound: string, exclusive: string): void {
  const flag = rules[exclusive];
  if (typeof flag !== "boolean") return;
  delete rules[exclusive];
  const limit = rules[bound];
  if (!flag || limit === undefined) return;
  rules[exclusive] = limit;
  delete rules[bound];
}

/** The words that describe a schema or belong to its document; they stay outside of a choice that is put around the rest. */
const OUTSIDE: ReadonlySet<string> = new Set(["$defs", "$schema", "$id", "default", "definitions", "description", "title"]);

export function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type !== undefined) {
    const types = [type].flat() as JsonValue[];
    return types.includes("null") ? schema : { ...schema, type: [...types, "null"] };
  }
  const [outside, inside] = [true, false].map((isOutside) =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => OUTSIDE.has(keyword) === isOutside)),
  );
  if (inside === undefined || Object.keys(inside).length === 0) return schema;
  return { ...outside, anyOf: [inside, { type: "null" }] };
}
