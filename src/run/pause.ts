export type PauseEnd = "time" | "woken" | "cancelled";

export type PauseOptions = {
  /** Without it only `wake` or a signal ends the pause. */
  readonly ms?: number;
  readonly signal: AbortSignal;
  /** Called with `wake` as soon as the pause begins. */
  readonly onWait?: (wake: () => void) => void;
};

/** The longest delay of a Node timer. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Leaves no timer and no listener behind. */
export function pause({ ms, signal, onWait }: PauseOptions): Promise<PauseEnd> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(() => settle("time"), Math.min(ms, LONGEST_TIMER_MS));
    const cancel = (): void => settle("cancelled");
    const settle = (end: PauseEnd): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(end);
    };
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    else onWait?.(() => settle("woken"));
  });
}
