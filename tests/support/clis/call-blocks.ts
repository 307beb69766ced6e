import type { JsonValue } from "../../../src/spec/json.ts";
import type { ToolDefinition } from "../../../src/spec/message.ts";

/** The tools that the tests bind. */
export const WEATHER: ToolDefinition = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};
export const CLOCK: ToolDefinition = { name: "now", description: "The time" };

/** A call in the answer of a model. */
export type WrittenCall = { readonly name: string; readonly args?: JsonValue; readonly id?: string };

/** The block with which a model calls tools. The fake CLI fills in the mark. */
export function callBlock(...calls: readonly WrittenCall[]): string {
  return ["```json", JSON.stringify({ mark: "{{mark}}", tool_calls: calls }), "```"].join("\n");
}

/** The characters of a text; the placeholder of the mark stays in one piece, because the fake CLI fills it in piece by piece. */
export function charactersOf(text: string): readonly string[] {
  return text.match(/\{\{mark\}\}|./gsu) ?? [];
}

/** The text without the mark of its calls, as content of a conversation may hold it. */
export function unmarked(text: string): string {
  return text.replaceAll('"mark":"{{mark}}",', "");
}

/** A valid call, and one whose JSON ends within a string. */
export const OSLO: string = callBlock({ name: "get_weather", args: { city: "Oslo" }, id: "call_1" });
export const CUT_CALL = '```json\n{"mark":"{{mark}}","tool_calls":[{"name":"get_weather","args":{"city":"Os';
