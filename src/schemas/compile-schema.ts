import type { ErrorObject } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { thrownMessage } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import { escapePointer, mapSubschemas, modernizeSchema, resolvePointer, stepsOf, visitSchemas } from "./subschemas.ts";

/**
 * The formats that Coxswain checks, as regular expressions. They accept every valid value and refuse only what clearly is none, so
 * that no correct answer is sent back.
 */
export const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date", String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$`],
  [
    "date-time",
    String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ][0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:?[0-5]\d)$`,
  ],
  ["duration", "^P[0-9YMWDTHS.,]+$"],
  ["email", String.raw`^\S+@[^\s@]+$`],
  ["hostname", String.raw`^[^\s/:@]+$`],
  ["idn-email", String.raw`^\S+@[^\s@]+$`],
  ["ipv4", String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`],
  ["ipv6", String.raw`^[0-9A-Fa-f:.]+(?:%\S+)?$`],
  ["iri", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["time", String.raw`^[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:?[0-5]\d)?$`],
  ["uri", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["url", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["uuid", "^(?:urn:uuid:)?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"],
]);

/** Compiles a pattern of a schema: with the `u` flag, as JSON Schema wants it, or without it if only JavaScript's older syntax accepts it. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** A validated value: with the defaults of its schema filled in, and its problems, worded for the model. */
type CheckedValue = {
  readonly value: JsonValue;
  readonly problems: readonly string[];
  /** The JSON pointers of everything that is wrong. */
  readonly places: readonly string[];
};

/** Validates a value and returns it with its defaults; the value itself is not changed. */
export type SchemaCheck = (value: JsonValue) => CheckedValue;

export const ANY_VALUE: SchemaCheck = (value) => ({ value, problems: [], places: [] });

/** Without the meta-schema, which takes longer to compile than all tools of a request. */
const OPTIONS = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  formats: Object.fromEntries([...FORMATS].map(([name, pattern]) => [name, new RegExp(pattern, "u")])),
  code: { regExp: Object.assign((pattern: string) => toRegExp(pattern), { code: "new RegExp" }) },
  logger: false,
  meta: false,
  validateSchema: false,
} as const;
/** A problem may name keys of any length that the model made up. */
const LONGEST_PROBLEM = 300;
const MOST_COMPILED = 256;
const compiled = new Map<string, SchemaCheck>();

/** The class of the compiler. It takes 30 ms to load, so that this module only gets it. */
export type Ajv = typeof Ajv2020;

/** Compiles a JSON Schema and caches it; throws when it is invalid. References are not fetched and values are not converted. */
export function compileWith(ajv: Ajv, schema: JsonObject): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const check = compile(ajv, schema, key.includes('"default":'));
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, check);
  return check;
}

/** Throws if a place of a schema holds what is none; the values of its keywords are checked by `compileWith`. */
export function checkShape(schema: JsonObject): void {
  visitSchemas(modernizeSchema(schema), refuseOthers);
}

/** Ajv ignores a text where a schema belongs, such as `properties: { city: "string" }`. */
function refuseOthers(schema: JsonObject): void {
  for (const [keyword, value] of Object.entries(schema))
    mapSubschemas(keyword, value, (below) => {
      if (typeof below !== "boolean" && !isJsonObject(below)) throw new TypeError(`${keyword} needs a schema.`);
      return below;
    });
}

function compile(ajv: Ajv, schema: JsonObject, hasDefaults: boolean): SchemaCheck {
  const { $schema: _, ...rules } = modernizeSchema(schema);
  visitSchemas(rules, refuseOthers);
  const validate = new ajv(OPTIONS).compile(rules);
  return (given) => {
    const value: JsonValue = hasDefaults ? structuredClone(given) : given;
    if (validate(value)) return { value, problems: [], places: [] };
    const errors = validate.errors ?? [];
    const problems = errors.slice(0, 8).map(({ instancePath, message = "is invalid", params }) => {
      const extra = Object.values(params).filter((param) => typeof param === "string" || Array.isArray(param));
      const problem = `${instancePath === "" ? "it" : instancePath} ${message}${extra.length > 0 ? ` (${extra.join(", ")})` : ""}`;
      return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM - 1)}…` : problem;
    });
    return { value: given, problems, places: errors.map(({ instancePath }) => instancePath) };
  };
}

/** A mistake in a JSON Schema; the path leads to the wrong value, and is empty for the whole schema. */
export type SchemaMistake = { readonly path: readonly string[]; readonly message: string };

/** The first mistake in a JSON Schema with its place, or undefined if it can be used. */
export function findMistakeWith(ajv: Ajv, schema: JsonObject): SchemaMistake | undefined {
  try {
    compileWith(ajv, schema);
    return undefined;
  } catch (error) {
    const whole = { path: [], message: thrownMessage(error) };
    try {
      return findWrongText(schema) ?? findWrongValue(ajv, schema) ?? whole;
    } catch {
      return whole;
    }
  }
}

/** A mistake with its place as a JSON pointer. */
export function describeMistake({ path, message }: SchemaMistake): string {
  return path.length === 0 ? message : `${path.map((step) => `/${escapePointer(step)}`).join("")}: ${message}`;
}

/** The first schema of a request that cannot be used, and what is wrong in it at which place; undefined if there is none. */
export function findProblemWith(ajv: Ajv, { tools = [], outputSchema }: RunRequest): string | undefined {
  const schemas = [
    ["The output schema", outputSchema] as const,
    ...tools.map(({ name, parameters }) => [`The schema of the tool ${name}`, parameters] as const),
  ];
  for (const [what, schema] of schemas) {
    const mistake = schema === undefined ? undefined : findMistakeWith(ajv, schema);
    if (mistake !== undefined) return `${what} cannot be used: ${describeMistake(mistake)}`;
  }
  return undefined;
}

/** A reference to nothing, or a pattern that is no regular expression: the compiler reports both without their place. */
function findWrongText(root: JsonObject): SchemaMistake | undefined {
  const found: SchemaMistake[] = [];
  visitSchemas(root, ({ $ref: reference, pattern, patternProperties = {} }, place) => {
    const steps = stepsOf(place);
    const isDead = typeof reference === "string" && reference.startsWith("#/") && resolvePointer(root, reference) === undefined;
    if (isDead) found.push({ path: [...steps, "$ref"], message: `${reference} leads to nothing` });
    const patterns = [
      ...(typeof pattern === "string" ? [{ text: pattern, path: [...steps, "pattern"] }] : []),
      ...Object.keys(patternProperties ?? {}).map((text) => ({ text, path: [...steps, "patternProperties", text] })),
    ];
    for (const { text, path } of patterns) {
      const message = patternProblem(text);
      if (message !== undefined) found.push({ path, message });
    }
  });
  return found[0];
}

function patternProblem(pattern: string): string | undefined {
  try {
    toRegExp(pattern);
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}

/** The meta-schema takes long to compile, so only a schema that has failed is validated with it. */
function findWrongValue(ajv: Ajv, given: JsonObject): SchemaMistake | undefined {
  const { $schema: _, ...schema } = modernizeSchema(given);
  const compiler = new ajv({ strict: false, logger: false, validateFormats: false });
  void compiler.validateSchema(schema);
  // The deepest error is the cause; the others report that a part of the meta-schema failed.
  const depthOf = ({ instancePath }: ErrorObject): number => stepsOf(instancePath).length;
  const [deepest] = [...(compiler.errors ?? [])].sort((one, other) => depthOf(other) - depthOf(one));
  return deepest && { path: stepsOf(placeIn(given, deepest.instancePath)), message: describe(deepest, schema) };
}

/** A tuple of an older draft is `items`. */
function placeIn(given: JsonObject, pointer: string): string {
  return resolvePointer(given, `#${pointer}`) === undefined ? pointer.replaceAll("/prefixItems", "/items") : pointer;
}

function describe({ message = "is invalid", params, instancePath }: ErrorObject, schema: JsonObject): string {
  const allowed: unknown = params["allowedValues"];
  if (!Array.isArray(allowed)) return message;
  return `${JSON.stringify(resolvePointer(schema, `#${instancePath}`))} is not one of ${allowed.join(", ")}`;
}
