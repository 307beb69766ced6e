import type { Channel } from "../process/channel/channel.ts";

/** How a process that takes several turns is started, and which requests may share it. */
export type ResidentLaunch = {
  readonly provider: string;
  /** Equal for launches that start the same process. */
  readonly key: string;
  /** Changes when the program or its login is replaced. */
  readonly identity: string;
  /** The number of turns that one process can take at the same time. */
  readonly turnsAtOnce: number;
  /** What a process that waits can be told about a turn like this one, if anything; equal for turns that are told the same. */
  readonly settings: string | undefined;
  /** True if a process that is prepared for these settings takes no others, so that another process waits for those. */
  readonly bindsToSettings: boolean;
  /** Undefined if the process could not be started. */
  readonly open: (onIdle: () => void) => Channel | undefined;
};

/** How many answers are remembered to find settings that come again. */
const REMEMBERED_ANSWERS = 8;

/** The attempts with one key. */
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

/** The settings that are remembered; the oldest are forgotten first. */
const MOST_SETTINGS = 256;

/** Remembers with which settings conversations go on after their first answer, so that no process waits after a lone question. */
export class FollowUps {
  private readonly settings = new Set<string>();

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
