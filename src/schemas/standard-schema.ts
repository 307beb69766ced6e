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
  try {
    return toPlain(convert(jsonSchema));
  } catch (error) {
    const place = vendor === "zod" ? placeOfFailure(jsonSchema) : undefined;
    throw new TypeError(`${place === undefined ? "" : `${place}: `}${messageOf(error)}`);
  }
}

/** Its method is called on it, because it may use `this`. */
type Converter = NonNullable<StandardSchema["~standard"]["jsonSchema"]>;

/** Libraries may lack a draft. */
function convert(converter: Converter): Record<string, unknown> {
  try {
    return converter.input({ target: "draft-2020-12" });
  } catch {
    return converter.input({ target: "draft-07" });
  }
}

function toPlain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema));
}

/** Zod's message does not name the place, but Zod can pass over such places and report each schema with its path. */
function placeOfFailure(converter: Converter): string | undefined {
  const failing: string[] = [];
  const override = ({ zodSchema, path }: { zodSchema: StandardSchema; path: readonly PropertyKey[] }): void => {
    const alone = zodSchema["~standard"].jsonSchema;
    try {
      if (alone !== undefined) convert(alone);
    } catch {
      failing.push(toPointer(path));
    }
  };
  try {
    converter.input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any", override } as never });
  } catch {
    return undefined;
  }
  // All schemas around the one that cannot be converted fail as well.
  return failing.sort((one, other) => other.length - one.length)[0] || undefined;
}

/** A validator of the caller: it decides whether a value is valid, and makes the value of the result. */
export type OutputValidator = {
  /** The problems of a value, worded for the model. Never rejects: a validator that throws has found a problem. */
  check(value: JsonValue): Promise<readonly string[]>;
  /** What the last valid value became. */
  output(): unknown;
};

export function toValidator({ "~standard": standard }: StandardSchema): OutputValidator | undefined {
  if (!canValidate(standard)) return undefined;
  let output: unknown;
  return {
    async check(value) {
      try {
        // Called on its object, because it may use `this`.
        const result = await standard.validate(structuredClone(value));
        if (result.issues !== undefined) return describeIssues(result.issues);
        output = result.value;
        return [];
      } catch (error) {
        return [`The value could not be checked: ${messageOf(error).slice(0, LONGEST_MESSAGE)}`];
      }
    },
    output: () => output,
  };
}

type Standard = StandardSchema["~standard"];

function canValidate(standard: Standard): standard is Standard & Required<Pick<Standard, "validate">> {
  return standard.validate !== undefined;
}

const LONGEST_MESSAGE = 300;

/** A list of issues, even an empty one, means that the value is invalid. */
function describeIssues(issues: readonly StandardIssue[]): readonly string[] {
  return issues.length === 0 ? [describeIssue({})] : issues.slice(0, 8).map(describeIssue);
}

/** A library may leave out the message of an issue. */
function describeIssue({ message, path }: Partial<StandardIssue>): string {
  const keys = (path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const words = typeof message === "string" && message !== "" ? message : "is invalid";
  return `${keys.length === 0 ? "it" : toPointer(keys)}: ${words.slice(0, LONGEST_MESSAGE)}`;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join("");
}

/** Anything can be thrown, also what has no text. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an error without a message";
  }
}
