import type { PlannedCall } from "./subject.ts";

/** The block with which a model calls tools. */
export function callBlock(calls: readonly PlannedCall[]): string {
  return ["```json", JSON.stringify({ mark: "{{mark}}", tool_calls: calls }), "```"].join("\n");
}
