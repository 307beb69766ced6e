import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { SchemaDialect } from "../spec/provider/provider-facts.ts";
import { FORMATS } from "./compile-schema.ts";
import { mapSubschemas, orNull } from "./subschemas.ts";

type ListedDialect = SchemaDialect & { readonly keywords: readonly string[] };

/** A translated schema; it is loose if it accepts more than the original. */
type FittedRules = { readonly schema: JsonObject; readonly isLoose: boolean };

type Draft = {
  readonly rules: Record<string, JsonValue>;
  /** The rules that the dialect does not take; the description repeats them for the model. */
  readonly left: Record<string, JsonValue>;
  readonly notes: string[];
  isLoose: boolean;
};

/** Translates a schema of draft 2020-12 and all schemas below it. */
export function fitRules(schema: JsonObject, dialect: ListedDialect): FittedRules {
  const draft: Draft = { rules: {}, left: {}, notes: [], isLoose: false };
  for (const [keyword, value] of Object.entries(schema)) fitKeyword(draft, keyword, value, { schema, dialect });
  finishPatterns(draft, schema);
  const { rules, left, notes } = draft;
  if (Object.keys(left).length > 0) {
    draft.isLoose = true;
    notes.push(`It must also match this JSON Schema: ${JSON.stringify(left)}`);
  }
  const { description } = schema;
  const words = [...(typeof description === "string" ? [description] : []), ...notes].join(" ");
  if (words !== "") rules["description"] = words;
  return { schema: dialect.objects === "closed" ? closeObjects(rules, schema) : rules, isLoose: draft.isLoose };
}

type Place = { readonly schema: JsonObject; readonly dialect: ListedDialect };

function fitKeyword(draft: Draft, keyword: string, value: JsonValue, place: Place): void {
  const { rules, left } = draft;
  const { schema, dialect } = place;
  const isTaken = dialect.keywords.includes(keyword);
  if (keyword === "format") return fitFormat(draft, value, place);
  if (keyword === "prefixItems" && !isTaken) return fitTuple(draft, value, place);
  if (keyword === "items" && "prefixItems" in schema && !dialect.keywords.includes("prefixItems")) return;
  if (keyword === "oneOf") return fitOneOf(draft, value, place);
  const below = isTaken ? fitBelow(keyword, value, dialect) : undefined;
  const isUsable = below !== undefined && isSound(keyword, below, schema);
  if (isUsable) {
    rules[keyword] = below.value;
    draft.isLoose ||= below.isLoose;
  } else if (DEMANDS.has(keyword)) left[keyword] = value;
}

type Below = { readonly value: JsonValue; readonly isLoose: boolean };

function fitBelow(keyword: string, value: JsonValue, dialect: ListedDialect): Below {
  let isLoose = false;
  const fitted = mapSubschemas(keyword, value, (schema) => {
    if (keyword === "additionalProperties" && typeof schema === "boolean") return schema;
    // OpenAI's strict mode refuses a schema without a type.
    if (dialect.objects === "closed" && !isJsonObject(schema)) throw new Inexpressible("A schema without a type.");
    if (keyword === "items" && typeof schema === "boolean") return schema;
    isLoose ||= schema === false;
    if (!isJsonObject(schema)) return {};
    const below = fitRules(schema, dialect);
    isLoose ||= below.isLoose;
    return below.schema;
  });
  if (!Array.isArray(fitted)) return { value: fitted, isLoose };
  const isSet = keyword === "enum" || keyword === "type" || keyword === "required";
  return { value: isSet ? withoutRepeats(fitted) : fitted, isLoose };
}

function withoutRepeats(list: readonly JsonValue[]): readonly JsonValue[] {
  const seen = new Set<string>();
  return list.filter((item) => seen.size < seen.add(JSON.stringify(item)).size);
}

/** False for a keyword that its validator refuses, or that would refuse more than before because a schema below it is loose. */
function isSound(keyword: string, { value, isLoose }: Below, schema: JsonObject): boolean {
  if (Array.isArray(value) && value.length === 0) return keyword !== "enum" && keyword !== "anyOf" && keyword !== "allOf";
  if (keyword === "not" || keyword === "if") return !isLoose;
  if (keyword === "contains") return !("minContains" in schema);
  if (keyword === "pattern") return compiles(value);
  return true;
}

function compiles(pattern: JsonValue): boolean {
  try {
    new RegExp(String(pattern), "u");
    return true;
  } catch {
    return false;
  }
}

/** Rules that stand or fall together: those about names by pattern, and a condition with what follows from it. */
function finishPatterns({ rules, left }: Draft, schema: JsonObject): void {
  const leave = (keywords: readonly string[]): void => {
    for (const keyword of keywords.filter((name) => name in schema)) {
      delete rules[keyword];
      left[keyword] = schema[keyword] ?? null;
    }
  };
  const names = Object.keys(isJsonObject(schema["patternProperties"]) ? schema["patternProperties"] : {});
  if (names.length > 0 && (!("patternProperties" in rules) || !names.every(compiles)))
    leave(["patternProperties", "additionalProperties"]);
  const isWhole = "if" in rules && ("then" in rules || "else" in rules);
  if ("if" in schema && !isWhole) leave(["if", "then", "else"]);
}

function fitFormat(draft: Draft, value: JsonValue, { schema, dialect }: Place): void {
  const { rules, notes } = draft;
  if (typeof value !== "string") return;
  // Validators differ in what they accept as a format.
  draft.isLoose = true;
  if (dialect.formats?.includes(value) === true && dialect.keywords.includes("format")) {
    rules["format"] = value;
    return;
  }
  notes.push(`Format: ${value}.`);
  const pattern = FORMATS.get(value);
  if (pattern !== undefined && !("pattern" in schema) && dialect.keywords.includes("pattern")) rules["pattern"] = pattern;
}

/** A tuple becomes a list whose items match any of its places: services refuse `items` with a list, CLIs `prefixItems`. */
function fitTuple(draft: Draft, value: JsonValue, { schema, dialect }: Place): void {
  const { rules, notes } = draft;
  const { items: rest = true } = schema;
  const { value: places } = fitBelow("prefixItems", value, dialect);
  if (!Array.isArray(places)) return;
  const further = rest === false || rest === true ? [] : [fitBelow("items", rest, dialect).value];
  const all = withoutRepeats([...places, ...further]);
  const isOpen = rest === true && !(Number(schema["maxItems"]) <= places.length);
  if (!isOpen && all.length > 0) rules["items"] = all.length === 1 ? (all[0] ?? {}) : { anyOf: all };
  if (rest === false && !("maxItems" in schema) && dialect.keywords.includes("maxItems")) rules["maxItems"] = places.length;
  draft.isLoose = true;
  notes.push(`Its first items, in this order, match these JSON Schemas: ${JSON.stringify(value)}`);
}

/** If its branches are loose, a value may match two of them. */
function fitOneOf(draft: Draft, value: JsonValue, { schema, dialect }: Place): void {
  const below = fitBelow("oneOf", value, dialect);
  const isEmpty = !Array.isArray(below.value) || below.value.length === 0;
  const keeps = dialect.keywords.includes("oneOf") && !below.isLoose;
  if (isEmpty || (!keeps && "anyOf" in schema)) {
    draft.left["oneOf"] = value;
    return;
  }
  draft.rules[keeps ? "oneOf" : "anyOf"] = below.value;
  draft.isLoose ||= !keeps;
}

/** The keywords that demand something of a value; other keywords that a dialect does not take are dropped. */
const DEMANDS: ReadonlySet<string> = new Set([
  ...["$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "dependencies", "dependentRequired"],
  ...["dependentSchemas", "enum", "exclusiveMaximum", "exclusiveMinimum", "items", "maxContains", "maxItems", "maxLength"],
  ...["maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not"],
  ...["pattern", "patternProperties", "prefixItems", "properties", "propertyNames", "required", "type", "unevaluatedItems"],
  ...["unevaluatedProperties", "uniqueItems", "if", "then", "else"],
]);

/** Thrown for a schema that a dialect cannot express, not even in part. */
export class Inexpressible extends Error {}

/** The rules with a type, and with closed objects: they have only the keys that are named, and all of them, optional ones as `null`. */
function closeObjects(rules: JsonObject, schema: JsonObject): JsonObject {
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
