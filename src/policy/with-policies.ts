import type { PolicyOptions } from "../spec/policy.ts";
import type { RunContext, Runner } from "../spec/stream.ts";
import { budget } from "./budget.ts";
import { cooldown } from "./cooldown.ts";
import { fallback } from "./fallback.ts";
import { limit } from "./limit.ts";
import type { Policy, PolicyHost } from "./policy.ts";
import type { QuotaMemory } from "./quota-memory.ts";
import { retry } from "./retry.ts";

/** The policies of one client around a runner, in the order in which they have to be. */
export function withPolicies(runner: Runner, host: PolicyHost, memory: QuotaMemory, options: PolicyOptions | false): Runner {
  // What a request may spend is its own affair, whatever the client does.
  if (options === false) return budget(host)(runner);
  // The innermost first.
  const policies: readonly (Policy | false)[] = [
    options.limit !== false && limit(host, options.limit),
    options.retry !== false && retry(host, options.retry),
    options.cooldown !== false && cooldown(host, memory, options.cooldown),
    options.fallback !== false && fallback(host, options.fallback),
    budget(host, options.budget || {}),
  ];
  const guarded = policies.reduce<Runner>((inner, policy) => (policy === false ? inner : policy(inner)), runner);
  // Whoever does not want a run any more is told so, whatever the policies know.
  const isUnwanted = ({ signal }: RunContext): boolean => host.closing.aborted || signal?.aborted === true;
  return (targets, request, context) => (isUnwanted(context) ? runner : guarded)(targets, request, context);
}
