import type { PolicyOptions } from "../../../src/spec/policy.ts";
import type { Provider } from "../../../src/spec/provider.ts";
import { type BreakerState, NEW_BREAKER } from "./breaker.ts";
import { type Policies, toPolicies } from "./policies.ts";
import type { Range } from "./range.ts";

/** What a model client must know about a provider. */
export type ProviderTraits = Pick<Provider, "traits" | "options">;

/** What outlives a run. Keys are those of `cooldownKey`. */
export type Memory = {
  /** Until when a quota of unknown reset is taken as spent. */
  readonly quotas: ReadonlyMap<string, Range>;
  readonly breakers: ReadonlyMap<string, BreakerState>;
  readonly spentUsd: number;
  readonly spentTokens: number;
};

/** The times, in ms since 1970, at which spent quotas open again: what is kept in files and shared by clients. */
export type QuotaFiles = Map<string, number>;

/** The state of one client. */
export type ModelClient = {
  readonly policies: Policies;
  readonly providers: Readonly<Record<string, ProviderTraits>>;
  readonly createdAt: number;
  /** How much longer than it is said to a process may take. */
  readonly slackMs: number;
  readonly quotaFiles: QuotaFiles;
  memory: Memory;
};

/** What a model client is made of. */
export type ModelClientOptions = {
  readonly policies?: PolicyOptions | false;
  readonly providers: Readonly<Record<string, ProviderTraits>>;
  readonly quotaFiles?: QuotaFiles;
  readonly now: number;
  readonly slackMs?: number;
};

/** A client that has run nothing yet. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  return {
    policies: toPolicies(options.policies),
    providers: options.providers,
    createdAt: options.now,
    slackMs: options.slackMs ?? 0,
    quotaFiles: options.quotaFiles ?? new Map(),
    memory: { quotas: new Map(), breakers: new Map(), spentUsd: 0, spentTokens: 0 },
  };
}

/** Whose login was asked, and by which model where only that one is meant. */
export type CooldownSubject = { readonly provider: string; readonly profile?: string; readonly model?: string };

/** What cooldown remembers by: provider and profile, apart for an API key, and for a quota of one model that model. */
export function cooldownKey({ provider, profile, model }: CooldownSubject, auth?: "api-key"): string {
  return JSON.stringify([provider, profile ?? null, auth ?? null, model ?? null]);
}

/** Says whether the probe of a provider is under way, for runs that are predicted beside it; its own prediction is made before. */
export function setProbed(client: ModelClient, key: string, isProbed: boolean): void {
  const { isProbed: _before, ...breaker } = client.memory.breakers.get(key) ?? NEW_BREAKER;
  const breakers = new Map(client.memory.breakers).set(key, isProbed ? { ...breaker, isProbed } : breaker);
  client.memory = { ...client.memory, breakers };
}
