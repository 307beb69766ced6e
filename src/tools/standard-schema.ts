import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { OutputSchema, StandardIssue, StandardSchema } from "../spec/standard-schema.ts";
import { escapePointer } from "./subschemas.ts";

/** True for a schema of a library; false for a JSON Schema, also for one that Zod wrote, which carries a hidden `~standard`. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null || !("~standard" in schema)) return false;
  const isPlain = Object.getPrototypeOf(schema) === Object.prototype;
  return !isPlain || Object.prototype.propertyIsEnumerable.call(schema, "~standard");
}

/** The JSON Schema of a schema's input, as plain data; throws a TypeError with the place that cannot be converted. */
export function toJsonSchema(schema: OutputSchema): JsonObject {
  if (!isStandardSchema(schema)) return toPlain(schema);
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined)
    throw new TypeError(`This version of ${vendor} cannot give a JSON Schema; pass a JSON Schema instead (Zod: 4.2 or newer).`);
  const { input } = jsonSchema;
  try {
    return toPlain(convert(input));
  } catch (error) {
    const place = vendor === "zod" ? placeOfFailure(input) : undefined;
    throw new TypeError(`${place === undefined ? "" : `${place}: `}${messageOf(error)}`);
  }
}

type Convert = NonNullable<StandardSchema["~standard"]["jsonSchema"]>["input"];

/** Libraries may lack a draft. */
function convert(input: Convert): Record<string, unknown> {
  try {
    return input({ target: "draft-2020-12" });
  } catch {
    return input({ target: "draft-07" });
  }
}

function toPlain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema));
}

/** Zod's message does not name the place, but Zod can pass over such places and report each schema with its path. */
function placeOfFailure(input: Convert): string | undefined {
  const failing: string[] = [];
  const override = ({ zodSchema, path }: { zodSchema: StandardSchema; path: readonly PropertyKey[] }): void => {
    const alone = zodSchema["~standard"].jsonSchema?.input;
    try {
      if (alone !== undefined) convert(alone);
    } catch {
      failing.push(toPointer(path));
    }
  };
  try {
    input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any", override } as never });
  } catch {
    return undefined;
  }
  // All schemas around the one that cannot be converted fail as well.
  return failing.sort((one, other) => other.length - one.length)[0] || undefined;
}

/** A validator of the caller: it decides whether a value is valid, and makes the value of the result. */
export type OutputValidator = {
  /** The problems of a value, worded for the model. */
  check(value: JsonValue): Promise<readonly string[]>;
  /** What the last valid value became. */
  output(): unknown;
};

/** The validator of a Standard Schema. */
export function toValidator({ "~standard": { validate } }: StandardSchema): OutputValidator | undefined {
  if (validate === undefined) return undefined;
  let output: unknown;
  return {
    async check(value) {
      const result = await validate(structuredClone(value));
      if (result.issues !== undefined) return result.issues.slice(0, 8).map(describeIssue);
      output = result.value;
      return [];
    },
    output: () => output,
  };
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const keys = path.map((step) => (typeof step === "object" ? step.key : step));
  return `${keys.length === 0 ? "it" : toPointer(keys)}: ${message.slice(0, 300)}`;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
