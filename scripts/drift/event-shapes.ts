import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../src/spec/json.ts";
import { fieldPaths } from "./field-paths.ts";
import type { Observation } from "./probe.ts";

/** The lines of a CLI by type: how many of each, and their fields. */
export type EventShapes = {
  readonly counts: ReadonlyMap<string, number>;
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
};

/** The shapes of all lines that the runs of a probe printed on stdout. */
export function eventShapes({ runs }: Pick<Observation, "runs">): EventShapes {
  const counts = new Map<string, number>();
  const fields = new Map<string, Set<string>>();
  for (const line of runs.flatMap(({ stdout }) => stdout.split("\n"))) {
    if (line.trim() === "") continue;
    const value = parse(line);
    const name = value === undefined ? "(text)" : nameOf(value);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const paths = fields.get(name) ?? new Set();
    for (const path of value === undefined ? [] : fieldPaths(value)) paths.add(path);
    fields.set(name, paths);
  }
  return { counts, fields };
}

function parse(line: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(line) as JsonValue);
  } catch {
    return undefined;
  }
}

/** Such as `system/init` and `stream_event/content_block_delta/text_delta`. */
function nameOf({ type, subtype, event }: JsonObject): string {
  const inner = objectOf(event) ?? {};
  const part = objectOf(inner["delta"] ?? inner["content_block"]) ?? {};
  const words = [type, subtype, inner["type"], part["type"]].map(stringOf).filter((word) => word !== undefined);
  return words.join("/") || "(object)";
}
