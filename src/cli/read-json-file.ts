import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { UsageError } from "./usage-error.ts";

/** Reads a JSON Schema from a file; anything but one JSON object is a usage error. */
export function readSchema(path: string): JsonObject {
  const hint = "Use a file with one JSON Schema object.";
  const value = parseJson(readTextFile(path), (reason) => new UsageError(`${path} is not JSON: ${reason}`, hint));
  if (!isJsonObject(value)) throw new UsageError(`${path} does not contain a JSON object.`, hint);
  return value;
}

/** Reads a text file; a file that cannot be read is a usage error. */
export function readTextFile(path: string): string {
  return readBytes(path).toString("utf8");
}

/** Reads a file; one that cannot be read is a usage error. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${path} cannot be read (${reason}).`, "Check the path and the permissions of the file.");
  }
}

/** Parses JSON text; the caller makes the error. */
export function parseJson(text: string, toError: (reason: string) => Error): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw toError(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
