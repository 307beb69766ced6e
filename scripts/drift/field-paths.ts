import type { JsonValue } from "../../src/spec/json.ts";

const DEEPEST = 6;

/** The paths of the values in a JSON value, such as `message.content[].type`; each path once, in order of first occurrence. */
export function fieldPaths(value: JsonValue): readonly string[] {
  const paths = new Set<string>();
  collect(value, "", 0, paths);
  return [...paths];
}

function collect(value: JsonValue, path: string, depth: number, paths: Set<string>): void {
  if (depth > DEEPEST || typeof value !== "object" || value === null) return void (path !== "" && paths.add(path));
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, depth + 1, paths);
    return void (value.length === 0 && paths.add(path));
  }
  for (const [name, inner] of Object.entries(value))
    collect(inner, path === "" ? nameOf(name) : `${path}.${nameOf(name)}`, depth + 1, paths);
}

/** Keys that are data, such as a model name or a path, count as one field. */
function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]{0,40}$/.test(name) ? name : "*";
}
