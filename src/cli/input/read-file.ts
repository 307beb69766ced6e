import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { type JsonText, type PlacedMistake, readJsonText } from "../../config/json-text.ts";
import { describeMistake } from "../../config/read-config-file.ts";
import { thrownCode } from "../../spec/failure/failure.ts";
import { UsageError } from "../usage-error.ts";

export function readTextFile(path: string): string {
  return decodeText(readBytes(path), path);
}

/** The file as JSON with the place of each value; a syntax error is a usage error with its place. */
export function readJsonFile(path: string, hint: string): JsonText {
  const json = readJsonText(readTextFile(path));
  if ("message" in json) throw mistakeIn(path, json, hint);
  return json;
}

/** The usage error of a mistake in a file: `path:line:column: message`. */
export function mistakeIn(path: string, mistake: PlacedMistake, hint: string): UsageError {
  return new UsageError(describeMistake({ path, ...mistake }), hint);
}

export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = thrownCode(error) ?? String(error);
    throw new UsageError(`${path} cannot be read (${reason}).`, "Check the path and the permissions of the file.");
  }
}

/** The bytes as UTF-8 text; other bytes are a usage error that names the place, because the CLI would get a different text. */
export function decodeText(bytes: Buffer, source: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new UsageError(
    `${source} is not UTF-8 text: the byte at offset ${invalidOffset(bytes)} is invalid.`,
    "Convert it to UTF-8 first, for example with iconv.",
  );
}

const LONGEST_CHARACTER = 4;

function invalidOffset(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  let same = 0;
  while (same < bytes.length && bytes[same] === again[same]) same += 1;
  // The replacement character can begin with the same bytes as the invalid one.
  const starts = Array.from({ length: LONGEST_CHARACTER }, (_, back) => same - back);
  return starts.find((start) => start >= 0 && isUtf8(bytes.subarray(0, start))) ?? same;
}
