import type { CooldownOptions } from "../spec/policy.ts";

/** How a run ended, as far as a breaker cares. */
export type BreakerNews = "answered" | "failed" | "neither";

/** Whether a run may go ahead, perhaps as the one that tries, or how long the provider still rests. */
export type BreakerAnswer =
  | { readonly goes: true; readonly isProbe: boolean }
  | { readonly goes: false; readonly restMs: number };

/** Closes a provider that fails again and again, and lets one run at a time try whether it is well. */
export class Breaker {
  private readonly options: CooldownOptions;
  private failures = 0;
  private rests = 0;
  private restsUntil: number | undefined;
  private lastRestMs = 0;
  private isProbing = false;

  constructor(options: CooldownOptions) {
    this.options = options;
  }

  /** Asks to run; whoever goes ahead has to come back with `leave`. */
  enter(now: number): BreakerAnswer {
    if (this.restsUntil === undefined) return { goes: true, isProbe: false };
    // A clock that was set back does not prolong a rest.
    this.restsUntil = Math.min(this.restsUntil, now + this.lastRestMs);
    if (now < this.restsUntil) return { goes: false, restMs: Math.ceil(this.restsUntil - now) };
    if (this.isProbing) return { goes: false, restMs: this.lastRestMs };
    this.isProbing = true;
    return { goes: true, isProbe: true };
  }

  /** Takes note of the end of a run that went ahead. */
  leave(news: BreakerNews, isProbe: boolean, now: number): void {
    if (isProbe) this.isProbing = false;
    if (news === "answered") return this.reset();
    if (news === "neither") return;
    this.failures += 1;
    const { failures = 5 } = this.options;
    if (isProbe || (this.restsUntil === undefined && this.failures >= failures)) this.rest(now);
  }

  private rest(now: number): void {
    const { restMs = 30_000, longestRestMs = 300_000 } = this.options;
    this.lastRestMs = Math.min(longestRestMs, restMs * 2 ** this.rests);
    this.restsUntil = now + this.lastRestMs;
    this.rests += 1;
  }

  private reset(): void {
    this.failures = 0;
    this.rests = 0;
    this.restsUntil = undefined;
  }
}
