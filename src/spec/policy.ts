/** How often and how patiently the same target is asked again. */
export type RetryOptions = {
  /** How many attempts may follow the first; 2 by default. */
  readonly retries?: number;
  /** Half of this to all of it is waited before the first retry, twice as much before each further one; 500 by default. */
  readonly firstDelayMs?: number;
  /** 30,000 by default. */
  readonly longestDelayMs?: number;
  /** What all delays of one target may take together, unless a request says otherwise; 60,000 by default. */
  readonly maxWaitMs?: number;
};

/** How a list of targets is walked. */
export type FallbackOptions = {
  /** What each provider calls a model: name, then provider, then the provider's name for it. */
  readonly models?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether a login that is missing or refused leads to the next target; false by default. */
  readonly onAuthentication?: boolean;
};

/** When a provider is left alone for a while. */
export type CooldownOptions = {
  /** Runs in a row that end with `server` or `network` before the provider rests; 5 by default. */
  readonly failures?: number;
  /** 30,000 by default. */
  readonly restMs?: number;
  /** Rests double up to this; 300,000 by default. */
  readonly longestRestMs?: number;
  /** How long a spent quota is remembered when nobody said when it opens again; 300,000 by default. */
  readonly quotaMs?: number;
};

/** How many runs there may be at once. */
export type LimitOptions = {
  /** 8 by default. */
  readonly perProvider?: number;
  /** 16 by default. */
  readonly total?: number;
  /** How many may wait; 256 by default. */
  readonly queue?: number;
};

/** What may be spent. */
export type Budget = {
  readonly usd?: number;
  /** Input and output together, as reported or estimated. */
  readonly tokens?: number;
  readonly wallMs?: number;
};

/** What is done about failing, busy and expensive providers; each part can be switched off. */
export type PolicyOptions = {
  readonly retry?: RetryOptions | false;
  readonly fallback?: FallbackOptions | false;
  readonly cooldown?: CooldownOptions | false;
  readonly limit?: LimitOptions | false;
  /** Of all runs of the client together. */
  readonly budget?: Budget | false;
};

/** A provider whose quota is known to be spent. */
export type SpentQuota = {
  readonly provider: string;
  /** Which login of it, when not the usual one. */
  readonly profile?: string;
  /** The one model that it is about, when the failure said so. */
  readonly model?: string;
  /** Stands for the API key or the service that was used instead of the login; nothing can be told of it. */
  readonly account?: string;
  /** ISO time at which it opens again. */
  readonly resetAt: string;
  /** Nobody said when it opens again; this client alone remembers it, for a while. */
  readonly isPresumed?: true;
  /** ISO time at which this was learnt. */
  readonly seenAt: string;
  /** The words of the failure, in one line. */
  readonly message: string;
};
