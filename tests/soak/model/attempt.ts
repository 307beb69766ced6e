import { ignoredSettings, refusalOf } from "./abilities.ts";
import { countSpending, isCostUnknown, isSpent } from "./budget.ts";
import { passTime } from "./clocks.ts";
import type { Behaviour, ModelCall } from "./model-call.ts";
import type { FailureFacts } from "./prediction.ts";
import { exactly, UndecidedError } from "./range.ts";
import { type FailedEnd, resetMessages } from "./repetition.ts";
import { type End, failWith, nextBehaviour, type Walk } from "./walk.ts";

/** Predicts one attempt: refused, not startable, or a process that answers, fails or is stopped. */
export function attemptTarget(walk: Walk, target: ModelCall["targets"][number], isFirst: boolean): End {
  const refusal = refusalOf(walk, target);
  if (refusal !== undefined) return failWith(refusal);
  const behaviour = nextBehaviour(walk, target.provider);
  if (behaviour.at === "before-start") {
    const isSchemaRefused = behaviour.end === "schema-unreadable" && wantsObject(walk);
    if (isSchemaRefused) walk.events.push({ type: "warning", code: "schema-by-text" });
    return failWith(toFailure(behaviour));
  }
  tellStart(walk, target, isFirst);
  if (behaviour.at === "spawn") return failWith(toFailure(behaviour));
  const end = runProcess(walk, target.provider, behaviour);
  const isWrongObject = !end.answer && end.failure.code === "schema-mismatch" && wantsObject(walk);
  return isWrongObject ? correctObject(walk, target, end) : end;
}

/** Asks the model once for a value that matches the schema, unless the first answer has spent the budget. */
function correctObject(walk: Walk, target: ModelCall["targets"][number], first: FailedEnd): End {
  walk.events.push({ type: "warning", code: "object-corrected" });
  if (first.output === "text") resetMessages(walk, first);
  if (walk.isBudgetSpent) return first;
  tellStart(walk, target, false);
  const second = runProcess(walk, target.provider, nextBehaviour(walk, target.provider));
  if (second.answer || first.output === "nothing") return second;
  if (first.output === "tool") return { ...second, output: "tool" };
  throw new UndecidedError("what is taken back of a correction that fails after shown output");
}

function wantsObject({ call }: Walk): boolean {
  return call.request.needs?.includes("output-schema") === true;
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
  walk.processes.set(provider, (walk.processes.get(provider) ?? 0) + 1);
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
