import { addCost } from "../run/add-usage.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Budget } from "../spec/policy.ts";
import type { Usage } from "../spec/usage.ts";

/** Counts what is spent against one budget. */
export class Ledger {
  readonly budget: Budget;
  private readonly whose: string;
  private readonly startedAt = performance.now();
  private usd = 0;
  private tokens = 0;

  /** `whose` names the budget to people. */
  constructor(budget: Budget, whose: string) {
    this.budget = budget;
    this.whose = whose;
  }

  /** Adds what was spent. */
  spend({ usd, tokens }: Spending): void {
    this.usd = addCost(this.usd, usd);
    this.tokens += tokens;
  }

  /** Milliseconds until its time is over; undefined when time does not matter. */
  msLeft(): number | undefined {
    const { wallMs } = this.budget;
    return wallMs === undefined ? undefined : wallMs - (performance.now() - this.startedAt);
  }

  /** The failure of a run that may not go on, once the budget is spent. */
  failure(): Failure | undefined {
    const { usd = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY, wallMs } = this.budget;
    if (this.usd >= usd) return this.toFailure(`of $${usd} is used up ($${this.usd.toFixed(4)})`);
    if (this.tokens >= tokens) return this.toFailure(`of ${tokens} tokens is used up (${this.tokens})`);
    return (this.msLeft() ?? 1) <= 0 ? this.toFailure(`of ${wallMs} ms is used up`) : undefined;
  }

  private toFailure(what: string): Failure {
    return createFailure("budget-spent", `The budget ${this.whose} ${what}.`);
  }
}

/** Money and tokens. */
export type Spending = { readonly usd: number; readonly tokens: number };

/** The tokens of a run; what nobody counted is none. */
export function tokensOf({ inputTokens = 0, outputTokens = 0, totalTokens }: Usage): number {
  return totalTokens ?? inputTokens + outputTokens;
}
