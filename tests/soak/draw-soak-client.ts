import type { PolicyOptions } from "../../src/spec/client-options.ts";
import { happens, type Random } from "../support/random.ts";
import { type ClientSurroundings, drawClient } from "./model/draw-client.ts";
import type { ModelClient } from "./model/model-client.ts";
import { type Policies, toPolicies } from "./model/policies.ts";

/** A client of the model, and the options that give a real client the same policies. */
export type DrawnClient = { readonly model: ModelClient; readonly policies: PolicyOptions | false };

/** Draws a client whose budget does not depend on the time of day, because the clock of a soak jumps. */
export function drawSoakClient(random: Random, surroundings: ClientSurroundings, changes: Partial<Policies> = {}): DrawnClient {
  const drawn = drawClient(random, surroundings);
  const policies = withLongRests(random, { ...drawn.policies, ...changes });
  const { wallMs, ...budget } = policies.budget === false ? {} : policies.budget;
  const timeless: Policies = { ...policies, budget: policies.budget !== false && { ...budget, ...(wallMs === 0 && { wallMs }) } };
  return { model: { ...drawn, policies: timeless }, policies: withoutDefaults(timeless) };
}

/** Processes take time, so that a rest must be long to affect the next call. */
function withLongRests(random: Random, policies: Policies): Policies {
  const { cooldown } = policies;
  if (cooldown === false || happens(random, 0.3)) return policies;
  const failures = happens(random, 0.5) ? 1 : cooldown.failures;
  const [restMs, longestRestMs] = [cooldown.restMs * 40, cooldown.longestRestMs * 40];
  return { ...policies, cooldown: { ...cooldown, failures, restMs, longestRestMs } };
}

/** The options without default values, so that the defaults of the product are tested too. */
function withoutDefaults(policies: Policies): PolicyOptions | false {
  if (Object.values(policies).every((policy) => policy === false)) return false;
  const defaults = toPolicies();
  const given = Object.entries(policies).map(([name, options]) => {
    if (options === false) return [name, false] as const;
    const usual: Readonly<Record<string, unknown>> = { ...defaults[name as keyof Policies] };
    const rest = Object.entries(options).filter(([option, value]) => JSON.stringify(usual[option]) !== JSON.stringify(value));
    return [name, rest.length === 0 ? undefined : Object.fromEntries(rest)] as const;
  });
  return Object.fromEntries(given.filter(([, options]) => options !== undefined));
}
