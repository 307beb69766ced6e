import type { AIMessage, UsageMetadata } from "@langchain/core/messages";
import type { RunWarning } from "../spec/result.ts";
import type { Finish, UsageReport } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";

/** The tokens of an answer; undefined if the model reported none. */
export function usageOf({ usage_metadata, response_metadata }: AIMessage): Usage | undefined {
  const counts = usage_metadata as UsageMetadata | undefined;
  if (counts === undefined) return undefined;
  const { cache_read: read, cache_creation: written } = counts.input_token_details ?? {};
  const reasoning = counts.output_token_details?.reasoning;
  return {
    inputTokens: counts.input_tokens,
    outputTokens: counts.output_tokens,
    totalTokens: counts.total_tokens,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    estimated: response_metadata["usage_estimated"] === true,
    scope: response_metadata["usage_scope"] === "thread" ? "thread" : "turn",
  };
}

/** The cost of an answer in USD, if it is known, and its scope. */
export function costOf({ response_metadata }: AIMessage): Pick<UsageReport, "costUsd" | "costScope"> {
  const cost = response_metadata["cost_usd"];
  if (typeof cost !== "number") return {};
  return { costUsd: cost, ...(response_metadata["cost_scope"] === "thread" && { costScope: "thread" }) };
}

export function warningsOf({ response_metadata }: AIMessage): readonly RunWarning[] {
  const warnings = response_metadata["warnings"];
  return Array.isArray(warnings) ? (warnings as readonly RunWarning[]) : [];
}

/** How an answer without calls ended. Services have their own words for a full answer, so all others count as one. */
export function finishOf({ response_metadata }: AIMessage): Finish {
  const reason = String(response_metadata["finish_reason"] ?? response_metadata["stop_reason"] ?? "");
  if (["length", "max_tokens", "MAX_TOKENS"].includes(reason)) return "length";
  return ["content_filter", "refusal", "SAFETY"].includes(reason) ? "content-filter" : "stop";
}
