import { numberOf, objectOf } from "../../dialects/json-access.ts";
import type { EventDraft } from "../../spec/events.ts";
import type { JsonObject } from "../../spec/json.ts";

/** The `usage` of the line that ends a turn, in a list of one; empty where nobody counted, which is printed as zeros. */
export function readGrokUsage(line: JsonObject): readonly EventDraft[] {
  const counts = objectOf(line["usage"]) ?? {};
  const count = (name: string): number => numberOf(counts[name]) ?? 0;
  const [cacheReadTokens, cacheWriteTokens] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
  const inputTokens = count("input_tokens") + cacheReadTokens + cacheWriteTokens;
  const outputTokens = count("output_tokens");
  if (inputTokens + outputTokens === 0) return [];
  const reasoningTokens = numberOf(counts["reasoning_tokens"]);
  const usage = {
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cacheReadTokens, cacheWriteTokens },
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...({ estimated: false, scope: "turn" } as const),
  };
  const costUsd = numberOf(line["total_cost_usd"]) ?? 0;
  return [{ type: "usage", usage, ...(costUsd > 0 && { costUsd }) }];
}
