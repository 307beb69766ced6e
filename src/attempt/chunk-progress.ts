/** Counts the native values of the chunk that is being read, and how many of them only show that the CLI is alive. */
export class ChunkProgress {
  private values = 0;
  private heartbeats = 0;

  /** Begins the next chunk. */
  begin(): void {
    this.values = 0;
    this.heartbeats = 0;
  }

  sawValue(): void {
    this.values += 1;
  }

  sawHeartbeat(): void {
    this.heartbeats += 1;
  }

  /** True if the chunk had values, and all of them were for other turns. */
  isForOthers(hadValues: boolean): boolean {
    return this.values === 0 && hadValues;
  }

  /** True if the chunk had more for this turn than heartbeats; a part of a value counts. */
  isProgress(hadValues: boolean): boolean {
    return !this.isForOthers(hadValues) && (this.values === 0 || this.values > this.heartbeats);
  }
}
