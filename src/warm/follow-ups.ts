/** The settings that are remembered; the oldest are forgotten first. */
const MOST_SETTINGS = 256;

/** Remembers with which settings conversations go on after their first answer, so that no process waits after a lone question. */
export class FollowUps {
  private readonly settings = new Set<string>();

  /** True if no conversation went on. */
  get isEmpty(): boolean {
    return this.settings.size === 0;
  }

  /** A conversation with these settings went on. */
  note(settings: string): void {
    this.settings.delete(settings);
    this.settings.add(settings);
    const [oldest] = this.settings;
    if (this.settings.size > MOST_SETTINGS && oldest !== undefined) this.settings.delete(oldest);
  }

  /** True if a conversation with these settings went on before. */
  areLikely(settings: string): boolean {
    return this.settings.has(settings);
  }
}
