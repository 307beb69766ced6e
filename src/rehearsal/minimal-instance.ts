import type { JsonObject, JsonValue } from "../spec/json.ts";
import { isJsonObject } from "../spec/json.ts";

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date-time", "2026-01-01T12:00:00Z"],
  ["date", "2026-01-01"],
  ["duration", "PT1H"],
  ["email", "someone@example.com"],
  ["hostname", "example.com"],
  ["idn-email", "someone@example.com"],
  ["ipv4", "127.0.0.1"],
  ["ipv6", "::1"],
  ["iri", "https://example.com/"],
  ["time", "12:00:00Z"],
  ["uri", "https://example.com/"],
  ["url", "https://example.com/"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

/** Makes a small value that is valid under a JSON Schema; `pattern`, `not` and `uniqueItems` are not supported. */
export function minimalInstance(schema: JsonValue, name = "text"): JsonValue {
  return build(schema, { root: schema, name, depth: 0 });
}

type Place = { readonly root: JsonValue; readonly name: string; readonly depth: number };

function build(schema: JsonValue, place: Place): JsonValue {
  const rules = resolve(schema, place.root);
  if (place.depth > 32) return null;
  if (rules["const"] !== undefined) return rules["const"];
  for (const list of ["enum", "examples"]) {
    const first = Array.isArray(rules[list]) ? rules[list][0] : undefined;
    if (first !== undefined) return first;
  }
  for (const choice of ["anyOf", "oneOf"]) {
    const first = Array.isArray(rules[choice]) ? rules[choice][0] : undefined;
    if (first !== undefined) return build(merge(rules, first, choice), deeper(place, place.name));
  }
  if (Array.isArray(rules["allOf"])) {
    const parts = rules["allOf"].map((part) => resolve(part, place.root));
    return build(
      parts.reduce((whole, part) => merge(whole, part, "allOf"), merge(rules, {}, "allOf")),
      deeper(place, place.name),
    );
  }
  return buildType(rules, place);
}

function buildType(rules: JsonObject, place: Place): JsonValue {
  const type = Array.isArray(rules["type"]) ? rules["type"][0] : rules["type"];
  if (type === "object" || (type === undefined && isJsonObject(rules["properties"]))) return buildObject(rules, place);
  if (type === "array" || (type === undefined && rules["items"] !== undefined)) return buildArray(rules, place);
  if (type === "integer" || type === "number") return buildNumber(rules, type);
  if (type === "boolean") return true;
  if (type === "null") return null;
  return buildString(rules, place.name);
}

function buildObject(rules: JsonObject, place: Place): JsonObject {
  const required = Array.isArray(rules["required"]) ? rules["required"].filter((key) => typeof key === "string") : [];
  const properties = isJsonObject(rules["properties"]) ? rules["properties"] : {};
  return Object.fromEntries(
    required.map((key) => [key, build(Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {}, deeper(place, key))]),
  );
}

function buildArray(rules: JsonObject, place: Place): JsonValue {
  const fixed = Array.isArray(rules["prefixItems"]) ? rules["prefixItems"] : [];
  const length = Math.max(numberAt(rules, "minItems") ?? 0, 0);
  return Array.from({ length }, (_, index) => build(fixed[index] ?? rules["items"] ?? {}, deeper(place, place.name)));
}

function buildNumber(rules: JsonObject, type: "integer" | "number"): number {
  const step = numberAt(rules, "multipleOf") ?? (type === "integer" ? 1 : 0);
  const above = numberAt(rules, "exclusiveMinimum");
  const below = numberAt(rules, "exclusiveMaximum");
  const least = Math.max(numberAt(rules, "minimum") ?? -Infinity, above ?? -Infinity);
  const most = Math.min(numberAt(rules, "maximum") ?? Infinity, below ?? Infinity);
  if (least < 0 && most > 0) return 0;
  if (step > 0) {
    const nearest = least >= 0 ? Math.ceil(least / step) * step : Math.floor(most / step) * step;
    if (nearest === above) return nearest + step;
    return nearest === below ? nearest - step : nearest;
  }
  const gap = Number.isFinite(most - least) ? (most - least) / 2 : 1;
  if (least >= 0) return least === above ? least + gap : least;
  return most === below ? most - gap : most;
}

function buildString(rules: JsonObject, name: string): string {
  const format = rules["format"];
  const known = typeof format === "string" ? FORMATS.get(format) : undefined;
  if (known !== undefined) return known;
  const most = numberAt(rules, "maxLength") ?? Infinity;
  return name.padEnd(numberAt(rules, "minLength") ?? 0, ".").slice(0, most === Infinity ? undefined : most);
}

function resolve(schema: JsonValue, root: JsonValue, hops = 0): JsonObject {
  if (!isJsonObject(schema) || hops > 32) return {};
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  const keys = reference.split("/").slice(1);
  const target = keys.reduce<JsonValue | undefined>((value, key) => {
    const plain = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof value === "object" && value !== null && Object.hasOwn(value, plain) ? Reflect.get(value, plain) : undefined;
  }, root);
  return resolve(target ?? {}, root, hops + 1);
}

function merge(rules: JsonObject, part: JsonValue, consumed: string): JsonObject {
  const { [consumed]: _, ...rest } = rules;
  const added = isJsonObject(part) ? part : {};
  const list = (key: string): readonly JsonValue[] =>
    [rest[key], added[key]].flatMap((value) => (Array.isArray(value) ? value : []));
  const bag = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
  const properties = { ...bag(rest["properties"]), ...bag(added["properties"]) };
  const required = [...new Set(list("required"))];
  return {
    ...rest,
    ...added,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function deeper(place: Place, name: string): Place {
  return { root: place.root, name, depth: place.depth + 1 };
}

function numberAt(rules: JsonObject, key: string): number | undefined {
  const value = rules[key];
  return typeof value === "number" ? value : undefined;
}
