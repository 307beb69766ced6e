import type { Timeouts } from "../spec/request.ts";

/** The clock that ran out. */
export type ExpiredClock = { readonly code: "first-event-timeout" | "idle-timeout" | "total-timeout"; readonly afterMs: number };

/** The three clocks of a run. */
export class Clocks {
  private first: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;

  constructor(timeouts: Timeouts, onExpired: (clock: ExpiredClock) => void) {
    const arm = (code: ExpiredClock["code"], afterMs: number | undefined): NodeJS.Timeout | undefined =>
      afterMs === undefined ? undefined : setTimeout(() => onExpired({ code, afterMs }), afterMs);
    this.first = arm("first-event-timeout", timeouts.firstEventMs);
    this.idle = arm("idle-timeout", timeouts.idleMs);
    this.total = arm("total-timeout", timeouts.totalMs);
  }

  /** Something was printed. */
  sawBytes(): void {
    this.idle?.refresh();
  }

  /** The first line was read. */
  sawEvent(): void {
    if (this.first === undefined) return;
    clearTimeout(this.first);
    this.first = undefined;
  }

  /** Stops all clocks. */
  stop(): void {
    for (const timer of [this.first, this.idle, this.total]) clearTimeout(timer);
    this.first = this.idle = this.total = undefined;
  }
}
