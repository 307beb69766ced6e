import { createFailure } from "../../spec/failure/failure.ts";
import { type RunError, refusalOf } from "../../spec/failure/run-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";

/** Undefined if the field is missing. */
export type Field = JsonValue | undefined;

/** The error of a field that cannot be used; `path` names it as Anthropic's errors do, such as `messages.0.content`. */
export function badField(path: string, problem: string, hint?: string): RunError {
  return refusalOf(createFailure("bad-request", `${path}: ${problem}`, hint === undefined ? {} : { hint }));
}

/** The field as a string; throws if it is anything else. */
export function stringAt(value: Field, path: string): string {
  if (typeof value === "string") return value;
  throw badField(path, value === undefined ? "Field required" : "Input should be a valid string");
}

/** The field as an object; throws if it is anything else. */
export function objectAt(value: Field, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw badField(path, value === undefined ? "Field required" : "Input should be an object");
}

/** The field as a list; throws if it is anything else. */
export function listAt(value: Field, path: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw badField(path, value === undefined ? "Field required" : "Input should be a valid array");
}

/** The field as an integer of at least one; throws if it is anything else. */
export function countAt(value: Field, path: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw badField(path, value === undefined ? "Field required" : "Input should be an integer greater than or equal to 1");
}

/** The field as a boolean, false if it is missing; throws if it is anything else. */
export function flagAt(value: Field, path: string): boolean {
  if (!isGiven(value)) return false;
  if (typeof value === "boolean") return value;
  throw badField(path, "Input should be a valid boolean");
}

/** False for a field that is missing or null. */
export function isGiven(value: Field): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}
