import type { PartContext } from "../run/part.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { AttemptStart, Notice } from "../spec/wire/events.ts";
import type { WireStep, WireTurn } from "../spec/wire/wire.ts";
import type { EventLog } from "./event-log.ts";

/** The request with what its run may still spend, for a CLI that takes such a limit. */
export function withBudgetLeft(request: PromptRequest, { budgetLeft }: PartContext): PromptRequest {
  const { budget: _, ...rest } = request;
  const left = budgetLeft?.();
  return left === undefined ? rest : { ...rest, budget: left };
}

/** The warning about a budget that cannot stop an agent before its end. */
export function budgetNotices(
  { label, traits, transports }: Provider,
  { mode, budget = {} }: PromptRequest,
  transport: AttemptStart["transport"],
): readonly Notice[] {
  if (mode !== "agent") return [];
  const { wire, limitsCost } = transports[transport] ?? transports.spawn;
  const isBlind =
    (budget.tokens !== undefined && wire.countsSteps === undefined) ||
    (budget.usd !== undefined && traits.cost && limitsCost !== true && wire.countsSteps !== "cost");
  const message = `${label} reports what an agent has used at its end only, so the budget stops no run inside; it holds between runs.`;
  return isBlind ? [{ code: "budget-between-runs", message }] : [];
}

/** After the result of a tool the CLI asks its model again, so a run with a budget reports by then what it has used. */
export function reportSpending(
  { budget }: PromptRequest,
  log: EventLog,
  { events, asksAgain }: WireStep,
  turn: WireTurn | undefined,
): void {
  if (budget === undefined || turn?.spent === undefined) return;
  if (asksAgain !== true && !events.some(({ type }) => type === "tool-end")) return;
  const report = turn.spent();
  if (report !== undefined) log.add(report);
}
