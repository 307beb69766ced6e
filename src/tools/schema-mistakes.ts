import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { compileSchema, isOldSchema } from "./validate-schema.ts";

/** A mistake in a JSON Schema; the path leads to the wrong value, and is empty for the whole schema. */
export type SchemaMistake = { readonly path: readonly string[]; readonly message: string };

const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false } as const;

/** The first mistake in a JSON Schema with its place, or undefined if it can be used. */
export function findSchemaMistake(schema: JsonObject): SchemaMistake | undefined {
  const { $schema: _, ...rules } = schema;
  const ajv = isOldSchema(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  if (ajv.validateSchema(rules) !== true) {
    const [first] = ajv.errors ?? [];
    if (first !== undefined) return { path: toPath(first.instancePath), message: describe(first, rules) };
  }
  return findWrongText(rules, schema, []) ?? compileMistake(schema);
}

function describe({ message = "is invalid", params, instancePath }: ErrorObject, schema: JsonObject): string {
  const allowed: unknown = params["allowedValues"];
  if (!Array.isArray(allowed)) return message;
  return `${JSON.stringify(valueAt(schema, toPath(instancePath)))} is not one of ${allowed.join(", ")}`;
}

/** A reference to nothing, or a pattern that is no regular expression: the compiler reports both without their place. */
function findWrongText(value: JsonValue, root: JsonObject, path: readonly string[]): SchemaMistake | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    const here = [...path, key];
    const message = typeof entry === "string" ? textProblem(key, entry, root) : undefined;
    const found = message === undefined ? findWrongText(entry, root, here) : { path: here, message };
    if (found !== undefined) return found;
  }
  return undefined;
}

function textProblem(key: string, text: string, root: JsonObject): string | undefined {
  if (key === "$ref" && text.startsWith("#/") && valueAt(root, toPath(text.slice(1))) === undefined)
    return `${text} leads to nothing`;
  return key === "pattern" ? patternProblem(text) : undefined;
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function compileMistake(schema: JsonObject): SchemaMistake | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    return { path: [], message: error instanceof Error ? error.message : String(error) };
  }
}

/** The keys of a JSON Pointer such as `/properties/age/type`. */
function toPath(pointer: string): readonly string[] {
  const [, ...keys] = decodeURIComponent(pointer).split("/");
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key) as JsonValue;
  }
  return value;
}
