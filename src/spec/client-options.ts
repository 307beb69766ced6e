/** How often and after which delays the same target is asked again. */
export type RetryOptions = {
  /** The number of retries; 2 by default. */
  readonly retries?: number;
  /**
   * The delay before the first retry, doubled for each further one; a random value between half and all of it is used. 500 by
   * default.
   */
  readonly firstDelayMs?: number;
  /** 30,000 by default. */
  readonly longestDelayMs?: number;
  /** The limit of all delays of one target together, unless the request sets it; 60,000 by default. */
  readonly maxWaitMs?: number;
};

export type FallbackOptions = {
  /** The providers' names of a model: model name, then provider id, then that provider's name for the model. */
  readonly models?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether an authentication failure leads to the next target; false by default. */
  readonly onAuthentication?: boolean;
};

/** When a provider is skipped for a while. */
export type CooldownOptions = {
  /** The number of consecutive `server` or `network` failures after which the provider rests; 5 by default. */
  readonly failures?: number;
  /** 30,000 by default. */
  readonly restMs?: number;
  /** Rests double up to this limit; 300,000 by default. */
  readonly longestRestMs?: number;
  /** How long a used-up quota without a stated reset time is remembered; 300,000 by default. */
  readonly quotaMs?: number;
};

export type LimitOptions = {
  /** 8 by default. */
  readonly perProvider?: number;
  /** 16 by default. */
  readonly total?: number;
  /** How many runs may wait in the queue; 256 by default. */
  readonly queue?: number;
};

export type Budget = {
  readonly usd?: number;
  /** Input and output tokens together, as reported or estimated. */
  readonly tokens?: number;
  readonly wallMs?: number;
};

/** The policies of a client; each one can be switched off with `false`. */
export type PolicyOptions = {
  readonly retry?: RetryOptions | false;
  readonly fallback?: FallbackOptions | false;
  readonly cooldown?: CooldownOptions | false;
  readonly limit?: LimitOptions | false;
  /** For all runs of the client together. */
  readonly budget?: Budget | false;
};

/** A used-up quota in the quota memory. */
export type SpentQuota = {
  readonly provider: string;
  /** The login, if it is not the default one. */
  readonly profile?: string;
  /** The model, if the limit applies to one model only. */
  readonly model?: string;
  /** A hash of the API key or service that was used instead of the login; it reveals nothing about the key. */
  readonly account?: string;
  /** ISO time of the reset. */
  readonly resetAt: string;
  /** No reset time was stated: `resetAt` is an assumption, and only this client stores the entry. */
  readonly isPresumed?: true;
  /** ISO time at which the failure was seen. */
  readonly seenAt: string;
  /** The message of the failure, in one line. */
  readonly message: string;
};

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
  readonly turns: number;
  /** True if it has been prepared for the next run with the settings of earlier runs, such as their system prompt. */
  readonly isPrepared: boolean;
  readonly ageMs: number;
  /** How long it has been unused; 0 while it takes a turn. */
  readonly idleMs: number;
};
