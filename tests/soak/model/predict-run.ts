import { isSpent, isSpentAtStart } from "./budget.ts";
import { walkTargets } from "./fallback.ts";
import type { ModelCall } from "./model-call.ts";
import type { ModelClient } from "./model-client.ts";
import type { DecidedPrediction, Outcome, Prediction } from "./prediction.ts";
import { rememberedQuotas } from "./quota.ts";
import { UndecidedError } from "./range.ts";
import { startWalk, type Walk } from "./walk.ts";

/** Predicts a run that begins `now`, with no other beside it. Does not change the client. */
export function predictRun(client: ModelClient, call: ModelCall, now: number): Prediction {
  const walk = startWalk(client, call, now);
  try {
    return toPrediction(walk, runWithinBudget(walk));
  } catch (error) {
    if (error instanceof UndecidedError) return { undecided: error.message };
    throw error;
  }
}

/** Applies a prediction to the state of the client and of its shared files. */
export function acceptPrediction(client: ModelClient, { after }: DecidedPrediction): void {
  client.memory = after.memory;
  client.quotaFiles.clear();
  for (const [key, resetAt] of after.quotaFiles) client.quotaFiles.set(key, resetAt);
}

function runWithinBudget(walk: Walk): Outcome {
  if (isSpentAtStart(walk)) return { answer: false, failure: { code: "budget-spent" } };
  const end = walkTargets(walk);
  if (end.answer) {
    if (isSpent(walk)) walk.events.push({ type: "warning", code: "budget-used-up" });
    return { answer: true };
  }
  return { answer: false, failure: walk.isBudgetSpent ? { code: "budget-spent" } : end.failure };
}

function toPrediction(walk: Walk, outcome: Outcome): DecidedPrediction {
  const { spentUsd, spentTokens } = walk.client.memory;
  return {
    events: walk.events,
    outcome,
    processes: Object.fromEntries(walk.processes),
    elapsedMs: walk.elapsedMs,
    usd: walk.usd,
    tokens: walk.tokens,
    quotas: rememberedQuotas(walk),
    breakers: Object.fromEntries(walk.breakers),
    after: {
      memory: {
        quotas: walk.quotas,
        breakers: walk.breakers,
        spentUsd: spentUsd + walk.usd,
        spentTokens: spentTokens + walk.tokens,
      },
      quotaFiles: walk.quotaFiles,
    },
  };
}
