import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";

const SINGLE: ReadonlySet<string> = new Set([
  ...["additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"],
  ...["propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"],
]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const MAPS: ReadonlySet<string> = new Set([
  ...["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"],
]);

/** Replaces the schemas directly below a keyword; `place` is the JSON pointer from the keyword's schema to each of them. */
export function mapSubschemas(
  keyword: string,
  value: JsonValue,
  map: (schema: JsonValue, place: string) => JsonValue,
): JsonValue {
  if (Array.isArray(value)) return LISTS.has(keyword) ? value.map((item, at) => map(item, `/${keyword}/${at}`)) : value;
  if (SINGLE.has(keyword)) return map(value, `/${keyword}`);
  if (!MAPS.has(keyword) || !isJsonObject(value)) return value;
  // `dependencies` has lists of names as well as schemas.
  const toEntry = ([name, schema]: [string, JsonValue]): [string, JsonValue] =>
    Array.isArray(schema) ? [name, schema] : [name, map(schema, `/${keyword}/${escapePointer(name)}`)];
  return Object.fromEntries(Object.entries(value).map(toEntry));
}

/** Calls `visit` with a schema and all schemas below it, each with its JSON pointer. */
export function visitSchemas(schema: JsonValue, visit: (schema: JsonObject, place: string) => void, place = ""): void {
  if (!isJsonObject(schema)) return;
  visit(schema, place);
  for (const [keyword, value] of Object.entries(schema))
    mapSubschemas(keyword, value, (below, step) => {
      visitSchemas(below, visit, place + step);
      return below;
    });
}

export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names in a JSON pointer such as `/properties/age/type`. */
export function stepsOf(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a reference within a document (`#/…`); undefined if there is none, or if the reference is not a pointer. */
export function resolvePointer(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const name of stepsOf(decode(reference.slice(1)))) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as JsonObject)[name];
  }
  return at;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
