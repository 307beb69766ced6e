import type { Usage } from "../spec/usage.ts";

const COUNTS = ["inputTokens", "outputTokens", "totalTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** The tokens of two calls together; a count that only one of them reported stays as it is. */
export function addUsage(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const counts = COUNTS.flatMap((name) => {
    const reported = [left[name], right[name]].filter((count) => count !== undefined);
    return reported.length === 0 ? [] : [[name, reported.reduce((sum, count) => sum + count, 0)] as const];
  });
  return { ...Object.fromEntries(counts), estimated: left.estimated || right.estimated, scope: right.scope };
}

/** Two amounts of money together, without the noise of binary fractions. */
export function addCost(left: number, right: number): number {
  return Math.round((left + right) * 1e10) / 1e10;
}
