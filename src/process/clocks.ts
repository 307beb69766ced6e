import type { Timeouts } from "../spec/request.ts";
import { settlePipes } from "./output.ts";

/** The clock that ran out; `background` ends the waiting for open work and is no failure. */
export type ExpiredClock = {
  readonly code: "first-event-timeout" | "idle-timeout" | "total-timeout" | "background";
  readonly afterMs: number;
};

/** A CLI takes the turn that it owes within 0.1 s (claude 2.1.325, quiet machine); a busy one may take a hundred times as long. */
const NEXT_TURN_MS = 15_000;

/** The clocks of a run: until the first event, while nothing happens, and in all. */
export class Clocks {
  private readonly onExpired: (clock: ExpiredClock) => void;
  private readonly timeouts: Timeouts;
  private readonly settle: () => Promise<void>;
  private first: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;
  private signs = 0;
  private questions = 0;
  private waitsFor: "work" | "turn" | "nothing" = "nothing";

  /** `settle` resolves when all that was printed so far has been read. */
  constructor(timeouts: Timeouts, onExpired: (clock: ExpiredClock) => void, settle: () => Promise<void> = settlePipes) {
    this.timeouts = timeouts;
    this.onExpired = onExpired;
    this.settle = settle;
    this.first = this.arm("first-event-timeout", timeouts.firstEventMs);
    this.idle = this.arm("idle-timeout", timeouts.idleMs);
    this.total = this.arm("total-timeout", timeouts.totalMs);
  }

  /** The model or a tool printed something. */
  sawProgress(): void {
    this.signs += 1;
    this.idle?.refresh();
  }

  /** The first line was read. */
  sawEvent(): void {
    if (this.first === undefined) return;
    clearTimeout(this.first);
    this.first = undefined;
  }

  /** The CLI waits for us, so its silence does not count. */
  sawQuestion(): void {
    this.questions += 1;
    clearTimeout(this.idle);
    this.idle = undefined;
  }

  /** The CLI has its answer. */
  sawAnswer(): void {
    this.questions -= 1;
    if (this.questions === 0) this.idle = this.armIdle();
  }

  /** The CLI has declared its answer and waits for work or for its next turn, or it goes on. */
  setWaiting(waitsFor: "work" | "turn" | "nothing"): void {
    if (this.waitsFor === waitsFor) return;
    this.waitsFor = waitsFor;
    if (this.questions !== 0) return;
    clearTimeout(this.idle);
    this.idle = this.armIdle();
  }

  /** Stops all clocks. */
  stop(): void {
    this.questions = Number.NaN;
    for (const timer of [this.first, this.idle, this.total]) clearTimeout(timer);
    this.first = this.idle = this.total = undefined;
  }

  private armIdle(): NodeJS.Timeout | undefined {
    const { idleMs, backgroundMs = Number.POSITIVE_INFINITY } = this.timeouts;
    if (this.waitsFor === "nothing") return this.arm("idle-timeout", idleMs);
    const waitMs = this.waitsFor === "turn" ? Math.min(NEXT_TURN_MS, backgroundMs) : backgroundMs;
    return this.arm("background", Number.isFinite(waitMs) ? waitMs : undefined);
  }

  private arm(code: ExpiredClock["code"], afterMs: number | undefined): NodeJS.Timeout | undefined {
    if (afterMs === undefined) return undefined;
    const timer = setTimeout(() => this.expire(timer, { code, afterMs }), afterMs);
    return timer;
  }

  /** After a busy moment of the host the silence may have been its own. */
  private expire(timer: NodeJS.Timeout, clock: ExpiredClock): void {
    if (clock.code === "total-timeout") return this.onExpired(clock);
    const before = this.signs;
    const isStill = (): boolean => timer === this.first || (timer === this.idle && this.signs === before);
    void this.settle().then(() => {
      if (isStill()) this.onExpired(clock);
    });
  }
}
