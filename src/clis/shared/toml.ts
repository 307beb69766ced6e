import { isJsonObject, type JsonValue } from "../../spec/json.ts";

/** Any text as a TOML string: a JSON string in which U+007F is escaped too. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** A value in TOML; an object as an inline table. */
export function toToml(value: JsonValue): string {
  if (typeof value === "string") return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const pairs = Object.entries(value).map(([key, entry]) => `${tomlString(key)} = ${toToml(entry ?? "")}`);
  return `{ ${pairs.join(", ")} }`;
}
