import { InvalidArgumentError } from "commander";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { Usage } from "../spec/usage.ts";
import { isJsonObject } from "./read-json-file.ts";

const COUNTS = ["inputTokens", "outputTokens", "totalTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** Reads token totals from JSON text; missing counts stay unknown. */
export function readUsage(text: string): Usage {
  const given = parse(text);
  const counts = COUNTS.flatMap((name) => {
    const count = given[name];
    if (count === undefined || count === null) return [];
    if (typeof count !== "number" || !(count >= 0)) throw new InvalidArgumentError(`${name} must be a number, 0 or more.`);
    return [[name, count] as const];
  });
  return {
    ...Object.fromEntries(counts),
    estimated: given["estimated"] === true,
    scope: given["scope"] === "turn" ? "turn" : "thread",
  };
}

function parse(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It must be JSON.");
  }
  if (!isJsonObject(value)) throw new InvalidArgumentError("It must be a JSON object.");
  return value;
}
