/** How many answers are remembered to find settings that come again. */
const REMEMBERED_ANSWERS = 8;

/** Counts the attempts with one key of a resident launch. */
export class Demand {
  /** The identity that the counts belong to. */
  readonly identity: string;
  answers: number;
  /** The attempts in progress. */
  active = 0;
  /** The processes that ended before they took a turn. */
  falseStarts = 0;
  /** The most attempts at the same time since processes were started. */
  private peak = 0;
  /** The settings of the last answers. */
  private recent: readonly (string | undefined)[] = [];

  constructor(identity: string, answers: number) {
    this.identity = identity;
    this.answers = answers;
  }

  begin(): void {
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
  }

  /** Counts the end of an attempt; true if another of the last answers had the same settings. */
  end(hasAnswered: boolean, settings: string | undefined): boolean {
    this.active -= 1;
    if (!hasAnswered) return false;
    this.answers += 1;
    const isRepeated = settings !== undefined && this.recent.includes(settings);
    this.recent = [...this.recent.slice(1 - REMEMBERED_ANSWERS), settings];
    return isRepeated;
  }

  /** The most attempts at the same time; begins a new count if none is in progress. */
  takePeak(): number {
    const { peak } = this;
    if (this.active === 0) this.peak = 0;
    return peak;
  }
}
