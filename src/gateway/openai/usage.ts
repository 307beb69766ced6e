import type { JsonObject } from "../../spec/json.ts";
import type { RunResult } from "../../spec/result.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { scopeFields } from "../protocol.ts";

/** The usage of a result as fields of a body; none if it has none. */
export function usageField(result: RunResult | undefined, write: (usage: Usage) => JsonObject): { readonly usage?: JsonObject } {
  if (result?.usage === undefined) return {};
  return { usage: { ...write(result.usage), ...scopeFields(result) } };
}

/** The usage in Chat Completions; OpenAI has no word for an unknown count, so it is zero. */
export function toChatUsage({ inputTokens = 0, outputTokens = 0, totalTokens, ...parts }: Usage): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: parts.cacheReadTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: parts.reasoningTokens ?? 0 },
  };
}

export function toResponseUsage({ inputTokens = 0, outputTokens = 0, totalTokens, ...parts }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: parts.cacheReadTokens ?? 0, cache_write_tokens: parts.cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: parts.reasoningTokens ?? 0 },
    total_tokens: totalTokens ?? inputTokens + outputTokens,
  };
}
