import { readFileSync } from "node:fs";
import { type JsonNode, type PlacedMistake, parseJsonNode, positionOf } from "../../config/json-node.ts";
import { describeMistake } from "../../config/read-config-file.ts";
import { thrownCode, thrownMessage } from "../../spec/failure/failure.ts";
import type { JsonValue } from "../../spec/json.ts";
import { UsageError } from "../usage-error.ts";
import { decodeText } from "./decode-text.ts";

/** Reads a text file; a file that cannot be read or is not UTF-8 is a usage error. */
export function readTextFile(path: string): string {
  return decodeText(readBytes(path), path);
}

/** The file as JSON with the place of each value; a syntax error is a usage error with its place. */
export function readJsonNode(path: string, hint: string): { readonly node: JsonNode; readonly text: string } {
  const text = readTextFile(path);
  const node = parseJsonNode(text);
  if ("message" in node) throw mistakeIn(path, text, node, hint);
  return { node, text };
}

/** The usage error of a mistake in a file: `path:line:column: message`. */
export function mistakeIn(path: string, text: string, { offset, message }: PlacedMistake, hint: string): UsageError {
  return new UsageError(describeMistake({ path, ...positionOf(text, offset), message }), hint);
}

/** Reads a file; one that cannot be read is a usage error. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = thrownCode(error) ?? String(error);
    throw new UsageError(`${path} cannot be read (${reason}).`, "Check the path and the permissions of the file.");
  }
}

/** Parses JSON text; the caller makes the error. */
export function parseJson(text: string, toError: (reason: string) => Error): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw toError(thrownMessage(error));
  }
}
