/** Why a pause is over. */
export type PauseEnd = "time" | "woken" | "cancelled";

/** What a pause listens to. */
export type PauseOptions = {
  /** Over after this long; without it only by word. */
  readonly ms?: number;
  /** Each of them cancels the pause. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Told how to end the pause, as soon as it has begun. */
  readonly onWait?: (wake: () => void) => void;
};

/** A timer cannot wait longer. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Waits until the first of them; leaves no timer and no listener behind. */
export function pause({ ms, signals, onWait }: PauseOptions): Promise<PauseEnd> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(() => settle("time"), Math.min(ms, LONGEST_TIMER_MS));
    const cancel = (): void => settle("cancelled");
    const settle = (end: PauseEnd): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener("abort", cancel);
      resolve(end);
    };
    for (const signal of signals) signal?.addEventListener("abort", cancel);
    if (signals.some((signal) => signal?.aborted === true)) cancel();
    else onWait?.(() => settle("woken"));
  });
}
