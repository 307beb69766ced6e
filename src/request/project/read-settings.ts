import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { parseEnv } from "node:util";
import { parse, TomlError } from "smol-toml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";

/** The settings of a file; undefined if there is none, and the problem of one that cannot be read. */
export type ReadSettings = { readonly settings: JsonObject | undefined } | { readonly problem: string };

/** Reads the settings of a CLI: JSON with comments, TOML (`.toml`) or the names of the variables of an `.env` file, with the values of those that name a model. */
export function parseSettings(path: string, text: string): ReadSettings {
  try {
    if (text.trim() === "") return { settings: undefined };
    if (path.endsWith(".toml")) return { settings: fromToml(text) };
    if (path.endsWith(".env")) return { settings: namesIn(text) };
    const settings: JsonValue = JSON.parse(withoutComments(text.replace(/^\uFEFF/, "")));
    return isJsonObject(settings) ? { settings } : { problem: "is no object" };
  } catch (error) {
    // The message of a parser quotes the text, which may contain a secret.
    return { problem: error instanceof TomlError ? `cannot be read as TOML in line ${error.line}` : "cannot be read" };
  }
}

/** Dates become texts. */
function fromToml(text: string): JsonObject {
  return JSON.parse(JSON.stringify(parse(text.replace(/^\uFEFF/, ""))));
}

/** JSON without its comments and trailing commas. */
function withoutComments(text: string): string {
  const plain = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\//g, "$1");
  return plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
}

/** The values stay with the CLI, which reads the file itself, except for the names of models. */
function namesIn(text: string): JsonObject {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[=:]\s*(\S?)/gm)];
  const values = parseEnv(text);
  const keptOf = (name: string): JsonValue => (name.endsWith("_MODEL") ? (values[name] ?? true) : true);
  return Object.fromEntries(names.flatMap(([, name = "", first]) => (first ? [[name, keptOf(name)]] : [])));
}

/** The text of a file, or why it has none: `no-file` is a directory, a pipe or a device. */
type BoundedText = { readonly content: string } | "too-large" | "no-file" | undefined;

/** Reads a file without waiting for a pipe of that name; undefined if there is none that can be opened. */
export function readBounded(path: string, mostBytes: number): BoundedText {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return "no-file";
    if (stats.size > mostBytes) return "too-large";
    const buffer = Buffer.alloc(stats.size);
    return { content: buffer.subarray(0, readSync(file, buffer, 0, stats.size, 0)).toString("utf8") };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
