import type { TakeUsage } from "../process/channel.ts";
import { addCost } from "../run/add-usage.ts";
import { failedEnd } from "../run/ends.ts";
import type { PartContext } from "../run/part.ts";
import type { ResolvedTargets } from "../run/resolve-target.ts";
import type { RunWriter } from "../run/run-writer.ts";
import { checkBounds } from "../run/validate-conversation.ts";
import type { RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { Budget } from "../spec/policy.ts";
import { Ledger, type Spending, tokensOf } from "./ledger.ts";
import { LONGEST_TIMER_MS } from "./pause.ts";
import type { Policy } from "./policy.ts";
import { runStoppable } from "./run-stoppable.ts";

/** Stops runs that exceed a budget: the client's for all its runs together, and a request's for its own run. */
export function budget(options: Budget = {}): Policy {
  const shared = Object.keys(options).length === 0 ? [] : [new Ledger(options, "of this client")];
  return (next) => (targets, request, context) => {
    // A budget below zero would look like one that is used up.
    const invalid = checkBounds(request);
    if (invalid !== undefined) return Promise.resolve(failedEnd(invalid));
    const ledgers = request.budget === undefined ? shared : [...shared, new Ledger(request.budget, "of this run")];
    if (ledgers.length === 0) return next(targets, request, context);
    const refusal = firstFailure(ledgers);
    if (refusal !== undefined) return Promise.resolve(failedEnd(refusal));
    const bookLate: TakeUsage = ({ usage, costUsd = 0 }) => {
      for (const ledger of ledgers) ledger.spend({ usd: costUsd, tokens: tokensOf(usage) });
    };
    return spend(ledgers, { ...context, bookLate }, targets, (inner) => next(targets, request, inner));
  };
}

/** Runs a part whose signal also aborts when a ledger is overspent. */
async function spend(
  ledgers: readonly Ledger[],
  context: PartContext,
  targets: ResolvedTargets,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { writer } = context;
  const costless = ledgers.some((ledger) => ledger.budget.usd !== undefined)
    ? targets.filter(({ provider }) => provider?.traits.cost === false).map(({ id }) => id)
    : [];
  let overspent: Failure | undefined;
  let spent: Spending = { usd: 0, tokens: 0 };
  const watch = (stop: () => void): (() => void) => {
    const check = (): void => {
      overspent ??= firstFailure(ledgers);
      if (overspent !== undefined) stop();
    };
    const stopListening = writer.onFlush(() => {
      spent = settle(ledgers, spent, writer);
      if (writer.provider !== undefined && costless.includes(writer.provider)) {
        writer.warnOnce(ledgers, { code: "cost-unknown", message: COST_UNKNOWN });
        writer.flush();
      }
      check();
    });
    const msLeft = Math.min(...ledgers.map((ledger) => ledger.msLeft() ?? Number.POSITIVE_INFINITY));
    // Two milliseconds late, because a timer may fire slightly early.
    const timer = Number.isFinite(msLeft) ? setTimeout(check, Math.min(msLeft + 2, LONGEST_TIMER_MS)) : undefined;
    return () => {
      clearTimeout(timer);
      stopListening();
      settle(ledgers, spent, writer);
    };
  };
  const end = await runStoppable(context, watch, run);
  if (end.failure !== undefined) overspent ??= firstFailure(ledgers);
  return overspent === undefined || end.failure === undefined ? end : failedEnd(overspent, end.failure.partialText);
}

function firstFailure(ledgers: readonly Ledger[]): Failure | undefined {
  return ledgers.map((ledger) => ledger.failure()).find((failure) => failure !== undefined);
}

/** Adds to the ledgers what the run has spent since the last call; the writer has its total so far. */
function settle(ledgers: readonly Ledger[], before: Spending, { usage, costUsd = 0 }: RunWriter): Spending {
  const now = { usd: Math.max(costUsd, before.usd), tokens: usage === undefined ? before.tokens : tokensOf(usage) };
  for (const ledger of ledgers) ledger.spend({ usd: addCost(now.usd, -before.usd), tokens: now.tokens - before.tokens });
  return now;
}

const COST_UNKNOWN = "The CLI does not report its cost, so the budget in USD has no effect.";
