import type { ErrorObject } from "ajv";
import { thrownMessage } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import { type Ajv, compileWith } from "./compile-schema.ts";
import { modernizeSchema } from "./modernize-schema.ts";
import { toRegExp } from "./schema-formats.ts";
import { escapePointer, resolvePointer, stepsOf, visitSchemas } from "./subschemas.ts";

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
