import type { Part, Policy } from "../run/part.ts";
import type { PolicyOptions } from "../spec/client-options.ts";
import { budget } from "./budget.ts";
import { type CooldownHost, cooldown } from "./cooldown.ts";
import { fallback } from "./fallback.ts";
import { gate } from "./gate.ts";
import { limit } from "./limit.ts";
import type { QuotaMemory } from "./quota-memory.ts";
import { retry } from "./retry.ts";

/** The policies of one client in their fixed order, as one. They keep their state between runs. */
export function createPolicies(host: CooldownHost, memory: QuotaMemory, options: PolicyOptions | false): Policy {
  // A request may have its own budget and its own gate even if the client has no policies.
  if (options === false) return inOrder([gate, budget()]);
  // Innermost first.
  const policies: readonly (Policy | false)[] = [
    gate,
    options.limit !== false && limit(options.limit),
    options.retry !== false && retry(options.retry),
    options.cooldown !== false && cooldown(host, memory, options.cooldown),
    options.fallback !== false && fallback(options.fallback),
    budget(options.budget || {}),
  ];
  return inOrder(policies);
}

function inOrder(policies: readonly (Policy | false)[]): Policy {
  return (part) => policies.reduce<Part>((inner, policy) => (policy === false ? inner : policy(inner)), part);
}
