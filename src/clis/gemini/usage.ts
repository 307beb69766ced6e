import { amountOf, type JsonObject, objectOf } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";

/** The usage in the `stats` of a `result` line: of this run only, even when a session was resumed. */
export function readStreamUsage(stats: JsonObject): Usage | undefined {
  const [total, input, output] = [
    countOf(stats, "total_tokens"),
    countOf(stats, "input_tokens"),
    countOf(stats, "output_tokens"),
  ];
  if (total === 0 && input === 0 && output === 0) return undefined;
  // Thoughts are counted only in the total (fixture reasoning).
  const reasoningTokens = total - input - output;
  const isWhole = reasoningTokens >= 0;
  const outputTokens = isWhole ? total - input : output;
  return {
    inputTokens: input,
    outputTokens,
    totalTokens: input + outputTokens,
    cacheReadTokens: countOf(stats, "cached"),
    ...(isWhole && { reasoningTokens }),
    estimated: false,
    scope: "turn",
  };
}

/** The usage in the `stats` of a document: the sum over its models. */
export function readDocumentUsage(stats: JsonObject): Usage | undefined {
  const models = Object.values(objectOf(stats["models"]) ?? {}).map((model) => objectOf(objectOf(model)?.["tokens"]) ?? {});
  const sum = (name: string): number => models.reduce((before, tokens) => before + countOf(tokens, name), 0);
  const [inputTokens, reasoningTokens] = [sum("prompt") + sum("tool"), sum("thoughts")];
  const outputTokens = sum("candidates") + reasoningTokens;
  const [totalTokens, cacheReadTokens] = [inputTokens + outputTokens, sum("cached")];
  if (totalTokens === 0 && cacheReadTokens === 0) return undefined;
  return { inputTokens, outputTokens, totalTokens, cacheReadTokens, reasoningTokens, estimated: false, scope: "turn" };
}

function countOf(counts: JsonObject, name: string): number {
  return amountOf(counts[name]) ?? 0;
}
