import type { PolicyOptions } from "../../../src/spec/client-options.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import { type BreakerState, NEW_BREAKER } from "./breaker.ts";
import { type Policies, toPolicies } from "./policies.ts";
import type { Range } from "./range.ts";

/** The facts about a provider that a model client needs. */
export type ProviderTraits = Pick<Provider, "traits" | "options">;

/** The state that outlives a run. Keys are those of `cooldownKey`. */
export type Memory = {
  /** Until when a quota of unknown reset counts as spent. */
  readonly quotas: ReadonlyMap<string, Range>;
  readonly breakers: ReadonlyMap<string, BreakerState>;
  readonly spentUsd: number;
  readonly spentTokens: number;
};

/** The reset times of spent quotas, in ms since 1970: stored in files and shared by clients. */
export type QuotaFiles = Map<string, number>;

/** The state of one client. */
export type ModelClient = {
  readonly policies: Policies;
  readonly providers: Readonly<Record<string, ProviderTraits>>;
  readonly createdAt: number;
  /** How much longer than its script a process may take. */
  readonly slackMs: number;
  readonly quotaFiles: QuotaFiles;
  memory: Memory;
};

/** The options of a model client. */
export type ModelClientOptions = {
  readonly policies?: PolicyOptions | false;
  readonly providers: Readonly<Record<string, ProviderTraits>>;
  readonly quotaFiles?: QuotaFiles;
  readonly now: number;
  readonly slackMs?: number;
};

/** A client before its first run. */
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

/** The login of a run, and its model if only that one is meant. */
export type CooldownSubject = { readonly provider: string; readonly profile?: string; readonly model?: string };

/** The key of cooldown: provider and profile, separate for an API key, and for a quota of one model also the model. */
export function cooldownKey({ provider, profile, model }: CooldownSubject, auth?: "api-key"): string {
  return JSON.stringify([provider, profile ?? null, auth ?? null, model ?? null]);
}

/** Marks the probe of a provider as running or not, for runs that are predicted beside it; its own prediction is made before. */
export function setProbed(client: ModelClient, key: string, isProbed: boolean): void {
  const { isProbed: _before, ...breaker } = client.memory.breakers.get(key) ?? NEW_BREAKER;
  const breakers = new Map(client.memory.breakers).set(key, isProbed ? { ...breaker, isProbed } : breaker);
  client.memory = { ...client.memory, breakers };
}
