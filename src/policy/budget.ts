import type { TakeUsage } from "../process/channel/channel.ts";
import { checkBounds } from "../request/settle.ts";
import { addCost, type Spent, tokensOf } from "../run/known-totals.ts";
import { failedEnd, LONGEST_TIMER_MS, type PartContext, type Policy } from "../run/part.ts";
import type { RunWriter } from "../run/run-writer.ts";
import type { Budget } from "../spec/client-options.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { Notice, RunEnd } from "../spec/wire/events.ts";

/** Stops runs that exceed a budget: the client's for all its runs together, and a request's for its own run. */
export function budget(options: Budget = {}): Policy {
  const shared = Object.keys(options).length === 0 ? [] : [new Ledger(options, "of this client")];
  return (next) => (targets, request, context) => {
    const costless = targets.flatMap(({ provider }) => (provider.traits.cost === false ? provider.id : []));
    return withinBudget({ request, shared, costless }, context, (inner) => next(targets, request, inner));
  };
}

type Limits = {
  readonly request: Pick<RunRequest, "budget" | "maxWaitMs">;
  readonly shared?: readonly Ledger[];
  /** The providers that do not report what they cost. */
  readonly costless?: readonly string[];
};

/** Does the work of a run, which ends when the budget of its request or a shared one is used up. */
export async function withinBudget(
  { request, shared = [], costless = [] }: Limits,
  context: PartContext,
  work: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  // A budget below zero would look like one that is used up.
  const invalid = checkBounds(request);
  if (invalid !== undefined) return failedEnd(invalid);
  const ledgers = request.budget === undefined ? shared : [...shared, new Ledger(request.budget, "of this run")];
  if (ledgers.length === 0) return work(context);
  const refusal = firstFailure(ledgers);
  if (refusal !== undefined) return failedEnd(refusal);
  const addLateUsage: TakeUsage = ({ usage, costUsd = 0, costScope }) => {
    const tokens = usage.scope === "thread" ? 0 : tokensOf(usage);
    for (const ledger of ledgers) ledger.spend({ usd: costScope === undefined ? costUsd : 0, tokens });
  };
  return spend(ledgers, { ...context, addLateUsage, budgetLeft: () => leftOf(ledgers) }, costless, work);
}

/** Runs a part whose signal also aborts when a ledger is overspent. */
async function spend(
  ledgers: readonly Ledger[],
  context: PartContext,
  costless: readonly string[],
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { writer } = context;
  const isInUsd = ledgers.some((ledger) => ledger.budget.usd !== undefined);
  let overspent: Failure | undefined;
  let spent: Spent = { usd: 0, tokens: 0 };
  const watch = (stop: () => void): (() => void) => {
    const check = (): void => {
      overspent ??= firstFailure(ledgers);
      if (overspent !== undefined) stop();
    };
    const stopListening = writer.onFlush(() => {
      spent = settle(ledgers, spent, writer);
      if (isInUsd && writer.provider !== undefined && costless.includes(writer.provider)) {
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
  overspent ??= firstFailure(ledgers);
  for (const warning of warningsOf(ledgers, end, writer)) writer.warnOnce(ledgers, warning);
  return overspent === undefined || end.failure === undefined ? end : failedEnd(overspent, end.failure.partialText);
}

function firstFailure(ledgers: readonly Ledger[]): Failure | undefined {
  return ledgers.map((ledger) => ledger.failure()).find((failure) => failure !== undefined);
}

/** The least that is left of each limit; undefined if neither money nor tokens are limited. */
function leftOf(ledgers: readonly Ledger[]): Partial<Spent> | undefined {
  const all = ledgers.map((ledger) => ledger.left());
  const left = { usd: Math.min(...all.map(({ usd }) => usd)), tokens: Math.min(...all.map(({ tokens }) => tokens)) };
  const limits = Object.entries(left).filter(([, value]) => Number.isFinite(value));
  return limits.length === 0 ? undefined : Object.fromEntries(limits);
}

/** What the result of a run says about its budget: that a complete answer has used it up, and that totals of a session were not counted. */
function warningsOf(ledgers: readonly Ledger[], end: RunEnd, { usage, costScope }: RunWriter): readonly Notice[] {
  const spent = end.failure === undefined ? firstFailure(ledgers) : undefined;
  const isUncounted = ledgers.some(
    ({ budget: { usd, tokens } }) =>
      (usd !== undefined && costScope === "thread") || (tokens !== undefined && usage?.scope === "thread"),
  );
  return [
    ...(spent === undefined ? [] : [{ code: "budget-used-up", message: `${spent.message} The answer was complete by then.` }]),
    ...(isUncounted ? [{ code: "budget-uncounted", message: UNCOUNTED }] : []),
  ];
}

/** Adds to the ledgers what the run has spent since the last call; the writer has its total so far. */
function settle(ledgers: readonly Ledger[], before: Spent, { caused: { usd, tokens } }: RunWriter): Spent {
  for (const ledger of ledgers) ledger.spend({ usd: addCost(usd, -before.usd), tokens: tokens - before.tokens });
  return { usd, tokens };
}

const UNCOUNTED =
  "The CLI reported the totals of its session, and what this run used of them is unknown: the budget does not count it.";
const COST_UNKNOWN = "The CLI does not report its cost, so the budget in USD has no effect.";

/** Adds up what is spent of one budget. */
export class Ledger {
  readonly budget: Budget;
  private readonly whose: string;
  private readonly startedAt = performance.now();
  private usd = 0;
  private tokens = 0;

  /** `whose` names the budget in messages. */
  constructor(budget: Budget, whose: string) {
    this.budget = budget;
    this.whose = whose;
  }

  spend({ usd, tokens }: Spent): void {
    this.usd = addCost(this.usd, usd);
    this.tokens += tokens;
  }

  /** Undefined when there is no time budget. */
  msLeft(): number | undefined {
    const { wallMs } = this.budget;
    return wallMs === undefined ? undefined : wallMs - (performance.now() - this.startedAt);
  }

  /** What is left of money and tokens; infinite without a limit. */
  left(): Spent {
    const { usd = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.budget;
    return { usd: addCost(usd, -this.usd), tokens: tokens - this.tokens };
  }

  /** The failure `budget-spent` once the budget is used up. */
  failure(): Failure | undefined {
    const { usd = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY, wallMs } = this.budget;
    if (this.usd >= usd) return this.toFailure(`of $${usd} is used up ($${this.usd.toFixed(4)})`);
    if (this.tokens >= tokens) return this.toFailure(`of ${tokens} tokens is used up (${this.tokens})`);
    return (this.msLeft() ?? 1) <= 0 ? this.toFailure(`of ${toSeconds(wallMs ?? 0)} is used up`) : undefined;
  }

  private toFailure(what: string): Failure {
    return createFailure("budget-spent", `The budget ${this.whose} ${what}.`);
  }
}

/**
 * Runs a part that a policy can stop as a cancelled run stops it. `watch` gets the function that stops the part, and returns the one
 * that ends the watching; that one is called when the part has ended.
 */
export async function runStoppable(
  context: PartContext,
  watch: (stop: () => void) => () => void,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { signal } = context;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const stopWatching = watch(stop);
  return await run({ ...context, signal: stopping.signal }).finally(() => {
    stopWatching();
    signal.removeEventListener("abort", stop);
  });
}
