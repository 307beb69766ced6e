/** Which processes a client keeps for later runs. */
export type WarmOptions = {
  /** The most processes; 4 by default. */
  readonly processes?: number;
  /** How long a process may be unused, in milliseconds; five minutes by default. */
  readonly idleMs?: number;
  /** The memory of all these processes above which none is added; 2 GiB by default. */
  readonly totalBytes?: number;
  /** The memory of one process above which it takes no further turn; 768 MiB by default. */
  readonly processBytes?: number;
  /** The most turns that wait for results of host tools; 8 by default. */
  readonly parked?: number;
  /** How long such a turn waits, in milliseconds; five minutes by default. */
  readonly parkedMs?: number;
  /** The most answered conversations that wait for their next message, and the most sessions of Codex that stay loaded; 2 by default, 0 for none. */
  readonly conversations?: number;
  /** How long such a conversation waits, in milliseconds; one minute by default. */
  readonly conversationMs?: number;
};

/** A process that a client keeps for later runs. */
export type WarmProcess = {
  readonly provider: string;
  readonly pid?: number;
  /** The memory that it occupies, if the system tells. */
  readonly memoryBytes?: number;
  /** The number of turns that it has taken. */
  readonly turns: number;
  /** True if it has been prepared for the next run with the settings of earlier runs, such as their system prompt. */
  readonly isPrepared: boolean;
  readonly ageMs: number;
  /** How long it has been unused; 0 while it takes a turn. */
  readonly idleMs: number;
};
