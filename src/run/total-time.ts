/** The total time of a run. It starts when the run first waits or starts a process. */
export class TotalTime {
  private readonly totalMs: number;
  private startedAt: number | undefined;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
  }

  /** The milliseconds that are left; zero or less when the time is over. */
  leftMs(): number {
    const now = performance.now();
    this.startedAt ??= now;
    return this.totalMs - (now - this.startedAt);
  }
}
