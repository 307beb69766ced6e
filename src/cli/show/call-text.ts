import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import { toVisibleText } from "../../spec/text.ts";
import { cutToWidth } from "../terminal/text-width.ts";

/** The fields that say what a call does; the fields beside them say how. */
const MAIN = ["command", "url", "query", "pattern", "file_path", "absolute_path", "notebook_path", "path", "title"];
const LONGEST_NAME = 60;
const SHORTEST_INPUT = 20;
/** More is never shown, and the time to make a text visible grows with its length. */
const MOST_CHARACTERS = 2000;

/** A call on one line, `Bash(touch made.txt)`, in at most this many columns; a long name or input is cut. */
export function callText({ name, input }: { readonly name: string; readonly input: JsonValue }, width: number): string {
  const shown = cutToWidth(visible(name), LONGEST_NAME);
  return `${shown}(${cutToWidth(visible(inputText(input)), Math.max(SHORTEST_INPUT, width - shown.length - 2))})`;
}

/** The output of a tool as text: its own words without marks around them. */
export function outputText(output: JsonValue): string {
  const parts = Array.isArray(output) ? output.map((part) => (isJsonObject(part) ? part["text"] : part)) : [output];
  const isText = parts.length > 0 && parts.every((part) => typeof part === "string");
  const text = isText ? parts.join("\n") : output === null ? "" : JSON.stringify(output);
  return /^<([a-z_]+)>(.*)<\/\1>$/s.exec(text.trim())?.[2] ?? text;
}

/** A text on one line in which nothing is hidden, cut to this many columns. */
export function visibleLine(text: string, width: number): string {
  return cutToWidth(visible(text.slice(0, MOST_CHARACTERS).replace(/\s+/g, " ").trim()), width);
}

function visible(text: string): string {
  return toVisibleText(text.slice(0, MOST_CHARACTERS));
}

function inputText(input: JsonValue): string {
  if (!isJsonObject(input)) return valueText(input);
  const main = MAIN.map((field) => input[field]).find((value) => typeof value === "string" && value !== "");
  if (main !== undefined) return valueText(main);
  const paths = pathsOf(input);
  const entries = Object.entries(input);
  if (paths.length > 0) return paths.join(", ");
  if (entries.length === 1) return valueText(entries[0]?.[1] ?? null);
  return entries.map(([key, value]) => `${key}: ${valueText(value)}`).join(", ");
}

/** The files of a change of several files. */
function pathsOf({ changes }: JsonObject): readonly string[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change) => (isJsonObject(change) && typeof change["path"] === "string" ? [change["path"]] : []));
}

function valueText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
