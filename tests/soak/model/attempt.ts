import { ignoredSettings, refusalOf } from "./abilities.ts";
import { countSpending, isCostUnknown, isSpent } from "./budget.ts";
import { passTime } from "./clocks.ts";
import type { Behaviour, ModelCall } from "./model-call.ts";
import type { FailureFacts } from "./prediction.ts";
import { exactly } from "./range.ts";
import { type End, failWith, nextBehaviour, type Walk } from "./walk.ts";

/** Predicts one attempt: refused, not startable, or a process that answers, fails or is stopped. */
export function attemptTarget(walk: Walk, target: ModelCall["targets"][number], isFirst: boolean): End {
  const refusal = refusalOf(walk, target);
  if (refusal !== undefined) return failWith(refusal);
  const behaviour = nextBehaviour(walk, target.provider);
  if (behaviour.at === "before-start") return failWith(toFailure(behaviour));
  tellStart(walk, target, isFirst);
  if (behaviour.at === "spawn") return failWith(toFailure(behaviour));
  walk.processes.set(target.provider, (walk.processes.get(target.provider) ?? 0) + 1);
  return runProcess(walk, target.provider, behaviour);
}

function tellStart(walk: Walk, { provider, model }: ModelCall["targets"][number], isFirst: boolean): void {
  walk.attempts += 1;
  walk.events.push({ type: "attempt-start", provider, ...(model !== undefined && { model }), attempt: walk.attempts });
  if (!isFirst) return;
  for (const _setting of ignoredSettings(walk, provider)) walk.events.push({ type: "warning", code: "setting-ignored" });
  if (isCostUnknown(walk, provider) && !walk.isCostWarned) {
    walk.isCostWarned = true;
    walk.events.push({ type: "warning", code: "cost-unknown" });
  }
}

function runProcess(walk: Walk, provider: string, behaviour: Behaviour): End {
  const seen = { answer: false, output: behaviour.output, messages: behaviour.messages ?? 1 } as const;
  if (behaviour.reportedEarly === true) {
    countSpending(walk, provider, behaviour);
    if (isSpent(walk)) return { ...seen, failure: { code: "budget-spent" } };
  }
  const stopped = passTime(walk, durationOf(walk, behaviour));
  if (stopped !== undefined) return { ...seen, failure: { code: stopped } };
  if (behaviour.reportedEarly !== true) countSpending(walk, provider, behaviour);
  if (behaviour.end === "answer") return { answer: true };
  if (isSpent(walk)) walk.isBudgetSpent = true;
  return { ...seen, failure: toFailure(behaviour) };
}

function durationOf(walk: Walk, { end, durationMs = 0 }: Behaviour): { min: number; max: number } {
  if (end === "total-timeout") return exactly(Number.POSITIVE_INFINITY);
  return { min: durationMs, max: durationMs + walk.client.slackMs };
}

function toFailure({ end, retryAfterMs, resetAt, isAboutModel }: Behaviour): FailureFacts {
  if (end === "answer") throw new RangeError("A behaviour without a process is a failure.");
  return {
    code: end,
    ...(retryAfterMs !== undefined && { retryAfterMs: exactly(retryAfterMs) }),
    ...(resetAt !== undefined && { resetAt }),
    ...(isAboutModel === true && { isAboutModel }),
  };
}
