import type { EventDraft } from "../spec/events.ts";
import type { JsonObject } from "../spec/json.ts";
import { amountOf, objectOf } from "./json-access.ts";

/** Tokens as Claude Code counts them. */
export type TokenCounts = {
  readonly fresh: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
};

/**
 * The tokens of a `result` line. If all counts are zero they are unknown: an interrupted turn that used tokens prints zeros (fixture
 * killed-sigint). An answer without streaming is counted by model only (fixture error-stall), and those counts are totals
 * of the process.
 */
export function readCounts(line: JsonObject, isFirstTurn: boolean): TokenCounts | undefined {
  const ofTurn = countsOf(objectOf(line["usage"]) ?? {}, API_COUNTS);
  if (Object.values(ofTurn).some((count) => count !== 0)) return ofTurn;
  if (!isFirstTurn) return undefined;
  const ofModels = Object.values(objectOf(line["modelUsage"]) ?? {}).map((model) =>
    countsOf(objectOf(model) ?? {}, ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens"]),
  );
  const total = ofModels.reduce(addCounts, countsOf({}, ["", "", "", ""]));
  return Object.values(total).some((count) => count !== 0) ? total : undefined;
}

const API_COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"] as const;

/** The tokens of one message: its end repeats the counts of its beginning, or leaves them out. */
export function readMessageCounts(beginning: JsonObject, end: JsonObject): TokenCounts {
  return countsOf({ ...beginning, ...end }, API_COUNTS);
}

/** What is left of counts after others; never below zero. */
export function subtractCounts(all: TokenCounts, others: TokenCounts): TokenCounts {
  const left = (name: keyof TokenCounts): number => Math.max(0, all[name] - others[name]);
  return {
    fresh: left("fresh"),
    cacheWriteTokens: left("cacheWriteTokens"),
    cacheReadTokens: left("cacheReadTokens"),
    outputTokens: left("outputTokens"),
  };
}

/** The sum of two counts. */
export function addCounts(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    fresh: left.fresh + right.fresh,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}

/** The usage of a run, with its cost if known. */
export function toUsage({ fresh, ...counts }: TokenCounts, costUsd: number | undefined): EventDraft {
  const { cacheWriteTokens, cacheReadTokens, outputTokens } = counts;
  const inputTokens = fresh + cacheWriteTokens + cacheReadTokens;
  const totalTokens = inputTokens + outputTokens;
  const usage = {
    inputTokens,
    outputTokens,
    totalTokens,
    cacheReadTokens,
    cacheWriteTokens,
    estimated: false,
    scope: "turn",
  } as const;
  return { type: "usage", usage, ...(costUsd !== undefined && { costUsd: roundUsd(costUsd) }) };
}

function countsOf(line: JsonObject, [fresh, written, read, output]: readonly [string, string, string, string]): TokenCounts {
  const count = (name: string): number => amountOf(line[name]) ?? 0;
  return { fresh: count(fresh), cacheWriteTokens: count(written), cacheReadTokens: count(read), outputTokens: count(output) };
}

/** The CLI's cost is the total of the process (fixture input-stream-three); the rounding error of the difference is removed. */
function roundUsd(amount: number): number {
  return Number(amount.toFixed(10));
}
