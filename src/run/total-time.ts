/** The total time of a run. It starts when the run first waits or starts a process, and can be held while the run waits in a queue. */
export class TotalTime {
  private readonly totalMs: number;
  private startedAt: number | undefined;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
  }

  /** Zero or less when the time is over. */
  leftMs(): number {
    const now = performance.now();
    this.startedAt ??= now;
    return this.totalMs - (now - this.startedAt);
  }

  /** Leaves out the time from now until the returned function is called. */
  hold(): () => void {
    const heldAt = performance.now();
    return () => {
      if (this.startedAt !== undefined) this.startedAt += performance.now() - heldAt;
    };
  }
}
