import type { PolicyOptions } from "../../../src/spec/client-options.ts";
import type { RequestOption } from "../../../src/spec/provider/cli-data.ts";
import { happens, pick, type Random, some, wholeBetween } from "../../support/random.ts";
import { ABLE } from "./able-provider.ts";
import { createModelClient, type ModelClient, type ProviderTraits, type QuotaFiles } from "./model-client.ts";

const OPTIONS: readonly RequestOption[] = ABLE.options;

/** Model names that a drawn client maps, besides those that it does not. */
export const MAPPED_MODELS = ["smart", "quick"] as const;

/** The parts of a drawn client that are not random. */
export type ClientSurroundings = {
  readonly now: number;
  readonly providers: readonly [string, ...string[]];
  readonly quotaFiles?: QuotaFiles;
  readonly slackMs?: number;
};

/** Draws a client: the traits of its providers and its policies. */
export function drawClient(random: Random, { providers, ...rest }: ClientSurroundings): ModelClient {
  const traits = Object.fromEntries(providers.map((provider) => [provider, drawTraits(random)]));
  return createModelClient({ ...rest, providers: traits, policies: drawPolicies(random, providers) });
}

/** Draws the options of all policies; delays are short, so that a soak that really waits does not take long. */
function drawPolicies(random: Random, providers: readonly string[]): PolicyOptions | false {
  if (happens(random, 0.03)) return false;
  const options: { -readonly [Policy in keyof PolicyOptions]: PolicyOptions[Policy] } = {
    retry: { firstDelayMs: pick(random, [0, 2, 10]) },
  };
  if (happens(random, 0.5)) options.retry = { ...options.retry, retries: wholeBetween(random, 0, 4) };
  if (happens(random, 0.3)) options.retry = { ...options.retry, longestDelayMs: pick(random, [5, 15]) };
  if (happens(random, 0.3)) options.retry = { ...options.retry, maxWaitMs: pick(random, [0, 12, 1000]) };
  if (happens(random, 0.6)) options.fallback = { models: drawModels(random, providers), onAuthentication: happens(random, 0.5) };
  if (happens(random, 0.7)) {
    const restMs = pick(random, [500, 30_000]);
    options.cooldown = { failures: wholeBetween(random, 1, 3), restMs, longestRestMs: restMs * pick(random, [1, 3]) };
  }
  if (happens(random, 0.3)) options.cooldown = { ...options.cooldown, quotaMs: pick(random, [1000, 600_000]) };
  if (happens(random, 0.5)) options.limit = { perProvider: wholeBetween(random, 1, 3), total: wholeBetween(random, 1, 6) };
  if (happens(random, 0.3)) options.limit = { ...options.limit, queue: wholeBetween(random, 0, 4) };
  if (happens(random, 0.2)) options.budget = drawBudget(random, 100);
  for (const policy of ["retry", "fallback", "cooldown", "limit", "budget"] as const) {
    if (happens(random, 0.05)) options[policy] = false;
  }
  return options;
}

/** Draws a budget for about this many processes; money is in quarters, so that sums are exact. */
export function drawBudget(random: Random, processes: number): { usd?: number; tokens?: number; wallMs?: number } {
  return {
    ...(happens(random, 0.6) && { usd: wholeBetween(random, 0, processes) / 4 }),
    ...(happens(random, 0.6) && { tokens: wholeBetween(random, 0, processes) * 100 }),
    ...(happens(random, 0.3) && { wallMs: wholeBetween(random, 0, processes) * 3_600_000 }),
  };
}

function drawModels(random: Random, providers: readonly string[]): Record<string, Record<string, string>> {
  return Object.fromEntries(
    MAPPED_MODELS.map((name) => [
      name,
      Object.fromEntries(some(random, providers, 0.7).map((provider) => [provider, `${provider}-${name}`])),
    ]),
  );
}

function drawTraits(random: Random): ProviderTraits {
  return {
    options: happens(random, 0.5) ? OPTIONS : some(random, OPTIONS, 0.7),
    traits: {
      streaming: "token",
      reasoning: happens(random, 0.5),
      systemPrompt: "replace",
      ownTools: "off",
      usage: "turn",
      cost: happens(random, 0.6),
    },
  };
}
