import { readApiCounts } from "../../dialects/claude/claude-usage.ts";
import { amountOf, type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, TurnEnd } from "../../spec/wire/wire.ts";

/** The stop reasons that are failures, and their kinds. */
export const FAULT_KINDS: ReadonlyMap<string, string> = new Map([
  ["cancelled", "cancelled"],
  ["refusal", "refusal"],
  ["max_turn_requests", "error_max_turns"],
]);

export function endByError(line: JsonObject): TurnEnd {
  const message = stringOf(line["message"]) ?? "";
  const fault: Fault = { message, event: eventOf(line) };
  return { finish: message.includes("response truncated by max_tokens") ? "length" : "error", fault };
}

/** The fields of an error that say what happened. */
export function eventOf(line: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(line).filter(([key]) => ["type", "message", "stopReason"].includes(key)));
}

/** The `usage` of the line that ends a turn, as a list of one. Zero counts give an empty list: Grok Build prints unknown counts as zeros. */
export function readGrokUsage(line: JsonObject): readonly EventDraft[] {
  const counts = objectOf(line["usage"]) ?? {};
  const usage = readApiCounts(counts);
  const isCounted = usage.inputTokens !== 0 || usage.outputTokens !== 0;
  const reasoningTokens = amountOf(counts["reasoning_tokens"]);
  const costUsd = amountOf(line["total_cost_usd"]) ?? 0;
  if (!isCounted && costUsd === 0) return [];
  const known = { ...usage, ...(reasoningTokens !== undefined && { reasoningTokens }) };
  const unknown = { estimated: false, scope: "turn" } as const;
  return [{ type: "usage", usage: isCounted ? known : unknown, ...(costUsd !== 0 && { costUsd }) }];
}
