import type { Usage } from "../spec/wire/usage.ts";

/** The names of the counts of a usage. */
export const COUNTS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** The sum of two usages; a count that only one of them has is taken from that one. */
export function addUsage(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const counts = COUNTS.flatMap((name) => {
    const reported = [left[name], right[name]].filter((count) => count !== undefined);
    return reported.length === 0 ? [] : [[name, reported.reduce((sum, count) => sum + count, 0)] as const];
  });
  return {
    ...Object.fromEntries(counts),
    estimated: left.estimated || right.estimated,
    scope: left.scope === "thread" ? left.scope : right.scope,
  };
}

/** The sum of two amounts in USD, rounded to remove floating-point errors. */
export function addCost(left: number, right: number): number {
  return Math.round((left + right) * 1e10) / 1e10;
}

/** Money and tokens. */
export type Spent = { readonly usd: number; readonly tokens: number };

/** The tokens of a usage; a count that is absent is 0. */
export function tokensOf({ inputTokens = 0, outputTokens = 0, totalTokens }: Usage): number {
  return totalTokens ?? inputTokens + outputTokens;
}
