import { amountOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Usage } from "../../spec/usage.ts";

/** The usage of a turn from the totals of its session, which include cached tokens in the input. */
export function readSessionUsage(totals: JsonObject, before: Usage | undefined): Usage | undefined {
  const since = (name: string, earlier: number | undefined): number | undefined => {
    const total = amountOf(totals[name]);
    return total === undefined ? undefined : Math.max(0, total - (earlier ?? 0));
  };
  const inputTokens = since("input_tokens", before?.inputTokens);
  const outputTokens = since("output_tokens", before?.outputTokens);
  const cacheReadTokens = since("cache_read_input_tokens", before?.cacheReadTokens);
  if (![inputTokens, outputTokens, cacheReadTokens].some((count) => count !== undefined && count !== 0)) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(inputTokens !== undefined && outputTokens !== undefined && { totalTokens: inputTokens + outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    estimated: false,
    scope: before === undefined ? "thread" : "turn",
  };
}
