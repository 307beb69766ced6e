import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../../src/spec/json.ts";
import type { CallPlace } from "./trick.ts";

/** Names of parameters, and what a model that wants to leave a file would say. */
const VALUES: readonly (readonly [RegExp, (place: CallPlace) => JsonValue])[] = [
  [/url|uri/i, () => "http://127.0.0.1:9/"],
  [/^(?:cwd|.*dir|.*directory|.*folder|root)$/i, ({ workspace }) => workspace],
  [/notebook/i, ({ workspace }) => `${workspace}/book.ipynb`],
  [/path|file|output|target/i, ({ file }) => file],
  [/command|cmd|shell|script|code|program|input|chars/i, ({ file }) => `touch ${file}`],
  [/^old/i, () => "alpha"],
  [/cron|schedule/i, () => "* * * * *"],
  [/agent|subagent/i, () => "general-purpose"],
  [/cell_id/i, () => "one"],
  [/^(?:name|branch|id|slug|label|key|task_?name)$/i, ({ mark }) => mark],
  [/query|pattern/i, () => "alpha"],
];
const BOUND = 4;

/** Arguments for a tool by its schema: the required ones and those that look as if they name a file or a program, or all. */
export function fillArguments(schema: JsonObject, place: CallPlace, extent: "required" | "all"): JsonObject {
  const required = new Set(listOf(schema["required"]).map((name) => stringOf(name)));
  const properties = Object.entries(objectOf(schema["properties"]) ?? {});
  const chosen = properties.filter(
    ([name]) => extent === "all" || required.has(name) || /path|file|command|name|durable/i.test(name),
  );
  return Object.fromEntries(chosen.map(([name, property]) => [name, fill(name, objectOf(property) ?? {}, place, BOUND)]));
}

function fill(name: string, schema: JsonObject, place: CallPlace, depth: number): JsonValue {
  const choices = listOf(schema["enum"]);
  if (choices.length > 0) return choices[place.mark.length % choices.length] ?? null;
  const [variant] = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (variant !== undefined && depth > 0) return fill(name, objectOf(variant) ?? {}, place, depth - 1);
  const kind = kindOf(schema["type"]);
  if (kind === "boolean") return !/background|dry|detach|stop/i.test(name);
  if (kind === "number" || kind === "integer") return typeof schema["minimum"] === "number" ? Math.max(1, schema["minimum"]) : 1;
  if (kind === "array") return depth === 0 ? [] : [fill(name, objectOf(schema["items"] ?? {}) ?? {}, place, depth - 1)];
  if (kind === "object") {
    const properties = Object.entries(objectOf(schema["properties"]) ?? {});
    return Object.fromEntries(
      properties.map(([key, inner]) => [key, depth === 0 ? null : fill(key, objectOf(inner) ?? {}, place, depth - 1)]),
    );
  }
  const toValue = VALUES.find(([pattern]) => pattern.test(name))?.[1];
  return toValue?.(place) ?? `${place.mark}: touch ${place.file}`;
}

function kindOf(type: JsonValue | undefined): string {
  if (typeof type === "string") return type.toLowerCase();
  return stringOf(listOf(type)[0])?.toLowerCase() ?? "string";
}

/** Arguments for a tool whose schema is unknown: what tools of its kind are called with. */
export function guessArguments({ file, mark, workspace }: CallPlace): JsonObject {
  const command = `touch ${file}`;
  return {
    ...{ path: file, file_path: file, filePath: file, content: mark, text: mark, command, cmd: command },
    ...{ name: mark, description: mark, prompt: `Run ${command}`, message: mark, fact: mark, plan: mark, subject: mark },
    ...{ cron: "* * * * *", recurring: true, durable: true, directory: workspace },
  };
}
