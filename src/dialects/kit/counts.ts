import { amountOf, defined, type JsonObject, type JsonValue, objectOf } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";

type UsageCount = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens";

/** The names of the token counts in the format of one CLI, in which cached tokens are a part of the input. */
export type CountNames = Readonly<Partial<Record<UsageCount, string>>>;

/** The counts under these names; undefined if the CLI reported none. */
export function readCounts(counts: JsonObject | undefined, names: CountNames, scope: Usage["scope"] = "turn"): Usage | undefined {
  if (counts === undefined) return undefined;
  const found: Partial<Record<UsageCount, number>> = {};
  for (const [name, native] of Object.entries(names) as [UsageCount, string][]) {
    const count = amountOf(counts[native]);
    if (count !== undefined) found[name] = count;
  }
  const { inputTokens, outputTokens } = found;
  const hasTotal = inputTokens !== undefined && outputTokens !== undefined;
  return { ...found, ...(hasTotal && { totalTokens: inputTokens + outputTokens }), estimated: false, scope };
}

/**
 * Tokens as the APIs report them: `input_tokens` and `output_tokens` (cached tokens are not in the first and are added), or
 * `prompt_tokens` and `completion_tokens`. Undefined if both are missing.
 */
export function readReportedUsage(value: JsonValue | undefined): Usage | undefined {
  const counts = objectOf(value) ?? {};
  const cacheReadTokens = amountOf(counts["cache_read_input_tokens"]);
  const cacheWriteTokens = amountOf(counts["cache_creation_input_tokens"]);
  const uncached = amountOf(counts["input_tokens"]);
  const inputTokens =
    uncached === undefined ? amountOf(counts["prompt_tokens"]) : uncached + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const usage = toUsage(inputTokens, amountOf(counts["output_tokens"]) ?? amountOf(counts["completion_tokens"]));
  return (
    usage && {
      ...usage,
      ...defined({ cacheReadTokens, cacheWriteTokens }),
    }
  );
}

/** The usage of one turn from two counts, either of which may be unknown. */
export function toUsage(inputTokens: number | undefined, outputTokens: number | undefined): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    ...defined({ inputTokens, outputTokens }),
    ...(inputTokens !== undefined && outputTokens !== undefined && { totalTokens: inputTokens + outputTokens }),
    estimated: false,
    scope: "turn",
  };
}
