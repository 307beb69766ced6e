import type { Budget } from "../../../src/spec/client-options.ts";
import type { Behaviour } from "./model-call.ts";
import type { Walk } from "./walk.ts";

/** Whether a budget of the client or of the request is already spent (spent ≥ budget) in money, tokens or time. */
export function isSpentAtStart(walk: Walk): boolean {
  const { wallMs } = budgetOf(walk);
  return (
    isSpent(walk) ||
    (wallMs !== undefined && walk.startedAt - walk.client.createdAt >= wallMs) ||
    walk.call.request.budget?.wallMs === 0
  );
}

/** Whether money or tokens of the client or of the request are spent. */
export function isSpent(walk: Walk): boolean {
  const { spentUsd, spentTokens } = walk.client.memory;
  return (
    covers(budgetOf(walk), spentUsd + walk.usd, spentTokens + walk.tokens) ||
    covers(walk.call.request.budget ?? {}, walk.usd, walk.tokens)
  );
}

/** What all runs of the client may spend; the budget of a request always counts. */
export function budgetOf({ client }: Walk): Budget {
  return client.policies.budget === false ? {} : client.policies.budget;
}

function covers(budget: Budget, usd: number, tokens: number): boolean {
  return (budget.usd !== undefined && usd >= budget.usd) || (budget.tokens !== undefined && tokens >= budget.tokens);
}

/** Counts the tokens that a process reports, and the money if its CLI reports it. */
export function countSpending(walk: Walk, provider: string, behaviour: Behaviour): void {
  walk.tokens += behaviour.tokens ?? 0;
  if (walk.client.providers[provider]?.traits.cost === true) walk.usd += behaviour.usd ?? 0;
}

/** Whether a money budget cannot be enforced on this provider. */
export function isCostUnknown(walk: Walk, provider: string): boolean {
  const isUsdLimited = budgetOf(walk).usd !== undefined || walk.call.request.budget?.usd !== undefined;
  return isUsdLimited && walk.client.providers[provider]?.traits.cost !== true;
}
