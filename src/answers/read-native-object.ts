import type { SchemaCheck } from "../schemas/compile-schema.ts";
import type { FittedSchema } from "../schemas/fit-schema.ts";
import { escapePointer } from "../schemas/subschemas.ts";
import { compileSchema } from "../schemas/validate-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { ObjectReading } from "./read-object.ts";

export type NativeRules = {
  readonly check: SchemaCheck;
  readonly outputSchema?: JsonObject | undefined;
  readonly native?: FittedSchema | undefined;
};

/** Reads a value that a CLI reported: unwrapped, without the nulls that stand for absent keys, validated. */
export function readNativeObject(given: JsonValue, { check, outputSchema, native }: NativeRules): ObjectReading {
  const inner = native?.isWrapped === true && isJsonObject(given) ? given["value"] : given;
  const unwrapped = inner === undefined ? given : inner;
  const isClosed = native?.hasNulls === true && outputSchema !== undefined;
  const { value, problems } = check(isClosed ? removeNulls(unwrapped, outputSchema) : unwrapped);
  return problems.length === 0 ? { value } : { problems };
}

/** Removes the keys whose value is null where the schema refuses null. */
export function removeNulls(given: JsonValue, outputSchema: JsonObject): JsonValue {
  const { places } = compileSchema(outputSchema)(given);
  const refused = new Set(places);
  const prune = (value: JsonValue, place: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item, at) => prune(item, `${place}/${at}`));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
      const below = `${place}/${escapePointer(name)}`;
      return item === null && refused.has(below) ? [] : [[name, prune(item, below)]];
    });
    return Object.fromEntries(kept);
  };
  return places.length === 0 ? given : prune(given, "");
}
