import { addCost } from "../run/add-usage.ts";
import { refusedRun } from "../run/refused-run.ts";
import { findProvider } from "../run/runner.ts";
import type { Failure } from "../spec/failure.ts";
import type { Budget } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { Ledger, type Spending, tokensOf } from "./ledger.ts";
import type { PassTrace } from "./pass-trace.ts";
import { LONGEST_TIMER_MS } from "./pause.ts";
import { type Policy, type PolicyHost, runIdOf } from "./policy.ts";
import { relayRun } from "./relayed-run.ts";

/** Stops what would cost more than is allowed, for all runs of a client together and for each by itself. */
export function budget(host: PolicyHost, options: Budget = {}): Policy {
  const shared = Object.keys(options).length === 0 ? [] : [new Ledger(options, "of this client")];
  return (next) => (targets, request, context) => {
    const ledgers = request.budget === undefined ? shared : [...shared, new Ledger(request.budget, "of this run")];
    if (ledgers.length === 0) return next(targets, request, context);
    const refusal = firstFailure(ledgers);
    if (refusal !== undefined) return refusedRun(runIdOf(host, context), request, refusal, context);
    return spendingRun(host, request, context, ledgers, (inner) => next(targets, request, inner));
  };
}

function spendingRun(
  host: PolicyHost,
  request: RunRequest,
  context: RunContext,
  ledgers: readonly Ledger[],
  start: (context: RunContext) => RunStream,
): RunStream {
  return relayRun(host, request, context, async (run) => {
    const inner = start(run.context);
    const needsCost = ledgers.some((ledger) => ledger.budget.usd !== undefined);
    let isWarned = false;
    let overspent: Failure | undefined;
    let spent: Spending = { usd: 0, tokens: 0 };
    const check = (): void => {
      overspent ??= firstFailure(ledgers);
      if (overspent !== undefined) inner.interrupt();
    };
    const msLeft = Math.min(...ledgers.map((ledger) => ledger.msLeft() ?? Number.POSITIVE_INFINITY));
    // A little late rather than early: a timer may come a moment before its time.
    const timer = Number.isFinite(msLeft) ? setTimeout(check, Math.min(msLeft + 2, LONGEST_TIMER_MS)) : undefined;
    const passed = await run
      .pass(inner, (trace) => {
        spent = settle(ledgers, spent, trace);
        if (!isWarned && needsCost && isCostless(host, trace)) {
          run.show({ type: "warning", code: "cost-unknown", message: COST_UNKNOWN });
          isWarned = true;
        }
        if (trace.end === undefined || trace.end.failure !== undefined) check();
      })
      .finally(() => clearTimeout(timer));
    const { failure } = passed.end;
    if (overspent === undefined || failure === undefined) return run.end(passed);
    const { partialText } = failure;
    run.fail({ ...overspent, ...(partialText !== undefined && { partialText }) });
  });
}

function firstFailure(ledgers: readonly Ledger[]): Failure | undefined {
  return ledgers.map((ledger) => ledger.failure()).find((failure) => failure !== undefined);
}

/** A run reports its total so far; what is new since the last time goes into the books. */
function settle(ledgers: readonly Ledger[], before: Spending, { usage, costUsd = 0 }: PassTrace): Spending {
  const now = { usd: Math.max(costUsd, before.usd), tokens: usage === undefined ? before.tokens : tokensOf(usage) };
  for (const ledger of ledgers) ledger.spend({ usd: addCost(now.usd, -before.usd), tokens: now.tokens - before.tokens });
  return now;
}

const COST_UNKNOWN = "The CLI does not report its cost, so the budget in USD has no effect.";

function isCostless(host: PolicyHost, { providers }: PassTrace): boolean {
  return [...providers].some((name) => findProvider(host, name)?.traits.cost === false);
}
