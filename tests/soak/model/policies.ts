import type {
  Budget,
  CooldownOptions,
  FallbackOptions,
  LimitOptions,
  PolicyOptions,
  RetryOptions,
} from "../../../src/spec/client-options.ts";

/** The policies of a client with all defaults filled in. */
export type Policies = {
  readonly retry: Required<RetryOptions> | false;
  readonly fallback: Required<FallbackOptions> | false;
  readonly cooldown: Required<CooldownOptions> | false;
  readonly limit: Required<LimitOptions> | false;
  /** The budget of all runs of the client; false is no budget; that of a request still counts. */
  readonly budget: Budget | false;
};

const RETRY: Required<RetryOptions> = { retries: 2, firstDelayMs: 500, longestDelayMs: 30_000, maxWaitMs: 60_000 };
const FALLBACK: Required<FallbackOptions> = { models: {}, onAuthentication: false };
const COOLDOWN: Required<CooldownOptions> = { failures: 5, restMs: 30_000, longestRestMs: 300_000, quotaMs: 300_000 };
const LIMIT: Required<LimitOptions> = { perProvider: 8, total: 16, queue: 256 };

/** The options with the defaults of docs/policies.md; `false` switches off all of them or one. */
export function toPolicies(options: PolicyOptions | false = {}): Policies {
  if (options === false) return { retry: false, fallback: false, cooldown: false, limit: false, budget: false };
  return {
    retry: options.retry === false ? false : { ...RETRY, ...options.retry },
    fallback: options.fallback === false ? false : { ...FALLBACK, ...options.fallback },
    cooldown: options.cooldown === false ? false : { ...COOLDOWN, ...options.cooldown },
    limit: options.limit === false ? false : { ...LIMIT, ...options.limit },
    budget: options.budget ?? {},
  };
}
