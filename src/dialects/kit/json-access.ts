import type { JsonObject, JsonValue } from "../../spec/json.ts";

/** The value as an object, or undefined when it is anything else. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a list; anything else is an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string, or undefined when it is anything else. */
export function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value as a finite number, or undefined when it is anything else. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * The value as a token count or a cost, or undefined when it is no number. A negative or infinite number becomes NaN. NaN spreads
 * through sums, and the run leaves it out with a warning.
 */
export function amountOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "number") return undefined;
  return value >= 0 && Number.isFinite(value) ? value : Number.NaN;
}

/** The value as text: a string as it is, anything else as JSON. */
export function nativeText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
