import type { Recording } from "../../../../src/replay/replay.ts";

/** The JSON values of a recording; none for text output and malformed lines. */
export function readRawValues({ format, stdout }: Recording): readonly unknown[] {
  const text = new TextDecoder().decode(stdout);
  if (format === "text" || text.trim() === "") return [];
  return format === "json" ? readValue(text) : text.split("\n").flatMap(readValue);
}

function readValue(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return [];
  }
}

/** The value of an object at the end of a path of keys; undefined if there is none. */
export function readKey(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === "object" && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );
}

/** The strings of objects at the end of a path, joined. */
export function joinTexts(values: readonly unknown[], ...path: readonly string[]): string {
  return values
    .map((value) => readKey(value, ...path))
    .filter((text) => typeof text === "string")
    .join("");
}
