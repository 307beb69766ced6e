import { addCost, type Spent } from "../run/add-usage.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Budget } from "../spec/policy.ts";

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

  /** Adds to the amount spent. */
  spend({ usd, tokens }: Spent): void {
    this.usd = addCost(this.usd, usd);
    this.tokens += tokens;
  }

  /** Milliseconds until the time budget is over; undefined when there is none. */
  msLeft(): number | undefined {
    const { wallMs } = this.budget;
    return wallMs === undefined ? undefined : wallMs - (performance.now() - this.startedAt);
  }

  /** What is left of money and tokens; of one without a limit there is no number. */
  left(): Pick<Budget, "usd" | "tokens"> {
    const { usd, tokens } = this.budget;
    return {
      ...(usd !== undefined && { usd: addCost(usd, -this.usd) }),
      ...(tokens !== undefined && { tokens: tokens - this.tokens }),
    };
  }

  /** The failure `budget-spent` once the budget is used up. */
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
