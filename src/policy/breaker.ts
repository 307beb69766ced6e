import type { CooldownOptions } from "../spec/policy.ts";

/** The end of a run as a circuit breaker counts it. */
export type BreakerOutcome = "answered" | "failed" | "neither";

/** Whether a run may start, and if so whether it is the probe; otherwise how long the provider still rests. */
export type BreakerAnswer =
  | { readonly goes: true; readonly isProbe: boolean }
  | { readonly goes: false; readonly restMs: number };

/** A circuit breaker: a provider that fails several times in a row rests, and then one probe at a time tests it. */
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

  /** Asks whether a run may start; a run that starts must end with `leave`. */
  enter(now: number): BreakerAnswer {
    if (this.restsUntil === undefined) return { goes: true, isProbe: false };
    // Setting the system clock back does not prolong a rest.
    this.restsUntil = Math.min(this.restsUntil, now + this.lastRestMs);
    if (now < this.restsUntil) return { goes: false, restMs: Math.ceil(this.restsUntil - now) };
    if (this.isProbing) return { goes: false, restMs: this.lastRestMs };
    this.isProbing = true;
    return { goes: true, isProbe: true };
  }

  /** Reports the end of a run that started. */
  leave(outcome: BreakerOutcome, isProbe: boolean, now: number): void {
    if (isProbe) this.isProbing = false;
    if (outcome === "answered") return this.reset();
    if (outcome === "neither") return;
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
