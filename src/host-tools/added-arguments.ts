import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";

/** The input of a call without the arguments that the CLI adds to every tool, unless the schema of the tool has them itself. */
export function withoutAdded<Input extends JsonValue>(input: Input, added: readonly string[], schema: JsonObject = {}): Input {
  if (!isJsonObject(input) || added.length === 0) return input;
  const own = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const isKept = (name: string): boolean => !added.includes(name) || Object.hasOwn(own, name);
  return Object.fromEntries(Object.entries(input).filter(([name]) => isKept(name))) as Input;
}
