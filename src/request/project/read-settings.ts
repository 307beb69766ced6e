import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { parse, TomlError } from "smol-toml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";

/** The settings of a file; undefined if there is none, and the problem of one that cannot be read. */
export type ReadSettings = { readonly settings: JsonObject | undefined } | { readonly problem: string };

const known = new Map<string, { readonly stamp: string; readonly read: ReadSettings }>();

/** Reads a settings file of a CLI: JSON with comments, TOML (`.toml`) or the names of the variables of an `.env` file, with the values of those that name a model. */
export function readSettings(path: string): ReadSettings {
  const stamp = stampOf(path);
  if (stamp === undefined) return { settings: undefined };
  const before = known.get(path);
  if (before?.stamp === stamp) return before.read;
  const read = readAnew(path);
  known.set(path, { stamp, read });
  return read;
}

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, ino, size } = statSync(path);
    return `${mtimeMs}.${ino}.${size}`;
  } catch {
    return undefined;
  }
}

function readAnew(path: string): ReadSettings {
  try {
    return parseSettings(path, readFileSync(path, "utf8"));
  } catch {
    return { problem: "cannot be read" };
  }
}

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
