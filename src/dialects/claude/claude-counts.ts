import { amountOf, type JsonObject, objectOf } from "../../spec/json.ts";
import type { RunningTotals, Usage } from "../../spec/wire/usage.ts";

export type TokenCounts = {
  readonly fresh: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
};

/**
 * The tokens of a `result` line, without those of sub-agents. If all counts are zero they are unknown: an interrupted turn that used tokens
 * prints zeros (fixture killed-sigint). One that the CLI's budget ended lacks the last message (2.1.197, 2.1.326).
 */
export function readCounts(line: JsonObject): TokenCounts | undefined {
  if (line["subtype"] === "error_max_budget_usd") return undefined;
  return knownCounts(countsOf(objectOf(line["usage"]) ?? {}, API_COUNTS));
}

/**
 * The totals in a `result` line: all requests of the process and, since a version between 2.1.197 and 2.1.326, of the earlier processes of
 * the session that exited by themselves.
 */
export function readTotals(line: JsonObject): RunningTotals {
  const ofModels = Object.values(objectOf(line["modelUsage"]) ?? {}).map((model) =>
    countsOf(objectOf(model) ?? {}, ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens"]),
  );
  const counts = knownCounts(ofModels.reduce(addCounts, NO_COUNTS));
  const costUsd = amountOf(line["total_cost_usd"]);
  return { ...(counts !== undefined && { usage: toUsage(counts) }), ...(costUsd !== undefined && { costUsd }) };
}

function knownCounts(counts: TokenCounts): TokenCounts | undefined {
  return Object.values(counts).some((count) => count !== 0) ? counts : undefined;
}

const NO_COUNTS: TokenCounts = { fresh: 0, cacheWriteTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

const API_COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"] as const;

/** The tokens of one message: its end repeats the counts of its beginning, or leaves them out. */
export function readMessageCounts(beginning: JsonObject, end: JsonObject): TokenCounts {
  return countsOf({ ...beginning, ...end }, API_COUNTS);
}

export function addCounts(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    fresh: left.fresh + right.fresh,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}

export function toUsage({ fresh, ...counts }: TokenCounts): Usage {
  const { cacheWriteTokens, cacheReadTokens, outputTokens } = counts;
  const inputTokens = fresh + cacheWriteTokens + cacheReadTokens;
  const totalTokens = inputTokens + outputTokens;
  return { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, estimated: false, scope: "turn" };
}

function countsOf(line: JsonObject, [fresh, written, read, output]: readonly [string, string, string, string]): TokenCounts {
  const count = (name: string): number => amountOf(line[name]) ?? 0;
  return { fresh: count(fresh), cacheWriteTokens: count(written), cacheReadTokens: count(read), outputTokens: count(output) };
}
