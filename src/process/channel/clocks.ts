import type { Timeouts } from "../../spec/request.ts";
import { settlePipes } from "../child/output.ts";

/** The clock that expired. `background` ends the wait for background work and is not a failure. */
export type ExpiredClock = {
  readonly code: "first-event-timeout" | "idle-timeout" | "total-timeout" | "background";
  readonly afterMs: number;
};

/**
 * How long the CLI may take to begin the turn it has announced. claude 2.1.325 takes 0.1 s on an idle machine; a busy machine may
 * need 100 times as long.
 */
const NEXT_TURN_MS = 15_000;

/** The timeouts of a turn, and whether the time in which the CLI waits for the host counts for the total. */
export type ClockTimes = Timeouts & { readonly isTotalStoppable?: boolean };

/** The timeouts of a turn: until the first event, without progress, and in total. */
export class Clocks {
  private readonly onExpired: (clock: ExpiredClock) => void;
  private readonly timeouts: ClockTimes;
  private readonly settle: () => Promise<void>;
  private readonly onWait: (awaitsHost: boolean) => void;
  private first: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;
  private totalLeftMs: number | undefined;
  private totalArmedAt = 0;
  private signs = 0;
  private questions = 0;
  private waitsFor: "work" | "turn" | "nothing" = "nothing";

  /**
   * `settle` resolves when everything that was printed so far has been read. `onWait` is called when the CLI begins to wait for
   * answers of the host and when it has them all, but not after `stop`.
   */
  constructor(
    timeouts: ClockTimes,
    onExpired: (clock: ExpiredClock) => void,
    settle: () => Promise<void> = settlePipes,
    onWait: (awaitsHost: boolean) => void = () => {},
  ) {
    this.timeouts = timeouts;
    this.onExpired = onExpired;
    this.settle = settle;
    this.onWait = onWait;
    this.first = this.arm("first-event-timeout", timeouts.firstEventMs);
    this.idle = this.arm("idle-timeout", timeouts.idleMs);
    this.totalLeftMs = timeouts.totalMs;
    this.armTotal();
  }

  /** Restarts the idle clock: the model or a tool printed something. */
  sawProgress(): void {
    this.signs += 1;
    this.idle?.refresh();
  }

  /** Stops the first-event clock. */
  sawEvent(): void {
    if (this.first === undefined) return;
    clearTimeout(this.first);
    this.first = undefined;
  }

  /** Stops the idle clock, and the total one if it may be stopped: the CLI waits for an answer of the host. */
  sawQuestion(): void {
    this.questions += 1;
    clearTimeout(this.idle);
    this.idle = undefined;
    if (this.questions !== 1) return;
    this.stopTotal();
    this.onWait(true);
  }

  /** Restarts these clocks when the last open question is answered. */
  sawAnswer(): void {
    this.questions -= 1;
    if (this.questions !== 0) return;
    this.idle = this.armIdle();
    if (this.total === undefined) this.armTotal();
    this.onWait(false);
  }

  /** Sets what the CLI waits for after it has declared its answer: background work, its next turn, or nothing. */
  setWaiting(waitsFor: "work" | "turn" | "nothing"): void {
    if (this.waitsFor === waitsFor) return;
    this.waitsFor = waitsFor;
    if (this.questions !== 0) return;
    clearTimeout(this.idle);
    this.idle = this.armIdle();
  }

  stop(): void {
    this.questions = Number.NaN;
    for (const timer of [this.first, this.idle, this.total]) clearTimeout(timer);
    this.first = this.idle = this.total = undefined;
  }

  private armTotal(): void {
    this.totalArmedAt = performance.now();
    this.total = this.arm("total-timeout", this.totalLeftMs, this.timeouts.totalMs);
  }

  private stopTotal(): void {
    if (this.timeouts.isTotalStoppable !== true || this.total === undefined || this.totalLeftMs === undefined) return;
    clearTimeout(this.total);
    this.total = undefined;
    this.totalLeftMs = Math.max(1, this.totalLeftMs - (performance.now() - this.totalArmedAt));
  }

  private armIdle(): NodeJS.Timeout | undefined {
    const { idleMs, backgroundMs = Number.POSITIVE_INFINITY } = this.timeouts;
    if (this.waitsFor === "nothing") return this.arm("idle-timeout", idleMs);
    const waitMs = this.waitsFor === "turn" ? Math.min(NEXT_TURN_MS, backgroundMs) : backgroundMs;
    return this.arm("background", Number.isFinite(waitMs) ? waitMs : undefined);
  }

  private arm(code: ExpiredClock["code"], leftMs: number | undefined, afterMs = leftMs): NodeJS.Timeout | undefined {
    if (leftMs === undefined || afterMs === undefined) return undefined;
    const timer = setTimeout(() => this.expire(timer, { code, afterMs }), leftMs);
    return timer;
  }

  /** A busy host may have output that it has not read yet, so pending reads are finished before the clock counts as expired. */
  private expire(timer: NodeJS.Timeout, clock: ExpiredClock): void {
    if (clock.code === "total-timeout") return this.onExpired(clock);
    const before = this.signs;
    const isStill = (): boolean => timer === this.first || (timer === this.idle && this.signs === before);
    const judge = (): void => {
      if (isStill()) this.onExpired(clock);
    };
    void this.settle().then(judge, judge);
  }
}
