import { failedEnd, LONGEST_TIMER_MS, type Part, type Policy } from "../run/part.ts";
import type { Budget, PolicyOptions, WarmOptions } from "../spec/client-options.ts";
import { didYouMean } from "../spec/fields.ts";
import { isJsonObject } from "../spec/json.ts";
import { budget } from "./budget.ts";
import { type CooldownHost, cooldown } from "./cooldown.ts";
import { fallback } from "./fallback.ts";
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

/** Lets the gate of a run decide about each of its attempts. It is inside of all other policies, so that a run has waited before it is asked. */
const gate: Policy = (next) => async (targets, request, context) => {
  const [{ target: asked }] = targets;
  const refusal = context.gate?.enter(asked);
  // A retry would get the same answer.
  if (refusal !== undefined) return failedEnd({ ...refusal, shouldRetry: false });
  const end = await next(targets, request, context);
  context.gate?.leave(asked, end.failure);
  return end;
};

/** `isCount` is set if the number must be an integer, and `mayBeEndless` if it may be Infinity. */
type NumberRule = { readonly least: number; readonly most?: number; readonly isCount?: true; readonly mayBeEndless?: true };
type Rules = Readonly<Record<string, NumberRule | "boolean" | "object">>;

const COUNT: NumberRule = { least: 0, isCount: true };
const PLACES: NumberRule = { least: 1, isCount: true, mayBeEndless: true };
const TIME: NumberRule = { least: 0 };
const AMOUNT: NumberRule = { least: 0, mayBeEndless: true };

const RULES: Readonly<Record<keyof PolicyOptions, Rules>> = {
  retry: { retries: COUNT, firstDelayMs: TIME, longestDelayMs: TIME, maxWaitMs: AMOUNT },
  fallback: { models: "object", onAuthentication: "boolean" },
  cooldown: { failures: { ...COUNT, least: 1 }, restMs: TIME, longestRestMs: TIME, quotaMs: TIME },
  limit: { perProvider: PLACES, total: PLACES, queue: { ...PLACES, least: 0 } },
  budget: { usd: AMOUNT, tokens: AMOUNT, wallMs: AMOUNT },
};

const WARM_RULES: Readonly<Record<keyof WarmOptions, NumberRule>> = {
  processes: COUNT,
  idleMs: { ...TIME, most: LONGEST_TIMER_MS },
  totalBytes: AMOUNT,
  processBytes: AMOUNT,
  parked: COUNT,
  parkedMs: { ...TIME, most: LONGEST_TIMER_MS },
  conversations: COUNT,
  conversationMs: { ...TIME, most: LONGEST_TIMER_MS },
};

/** No option may state a longer time. */
const LONGEST_MS = 366 * 24 * 60 * 60 * 1000;

/** Throws a TypeError on the first invalid option. */
export function readPolicyOptions(options: PolicyOptions | false): PolicyOptions | false {
  if (options === false) return false;
  demand(isJsonObject(options), "policies must be an object or false.");
  for (const [part, values] of Object.entries(options)) {
    if (!Object.hasOwn(RULES, part)) throw unknownName(`policy "${part}"`, part, Object.keys(RULES));
    if (values !== false && values !== undefined) readGroup(`policies.${part}`, values, RULES[part as keyof PolicyOptions]);
  }
  return options;
}

/** Throws a TypeError on the first invalid option. */
export function readWarmOptions(options: WarmOptions | false): WarmOptions | false {
  if (options !== false) readGroup("warm", options, WARM_RULES);
  return options;
}

/** Throws a TypeError on the first invalid option. */
export function checkBudget(budget: Budget): void {
  demand(isJsonObject(budget), "budget must be an object.");
  readGroup("budget", budget, RULES.budget);
}

function readGroup(place: string, values: unknown, rules: Rules): void {
  demand(isJsonObject(values), `${place} must be an object or false.`);
  for (const [name, value] of Object.entries(values))
    if (!Object.hasOwn(rules, name)) throw unknownName(`option ${place}.${name}`, name, Object.keys(rules));
    else readOption(`${place}.${name}`, value, rules[name]);
}

function unknownName(what: string, name: string, names: readonly string[]): TypeError {
  return new TypeError(`There is no ${what}: ${names.join(", ")}. ${didYouMean(name, names)}`.trim());
}

function readOption(name: string, value: unknown, rule: NumberRule | string | undefined): void {
  if (value === undefined) return;
  if (rule === "boolean") return demand(typeof value === "boolean", `${name} must be true or false.`);
  if (rule === "object") return demand(isJsonObject(value), `${name} must be an object.`);
  if (typeof rule === "object") demand(isRight(value, rule), `${name} cannot be ${String(value)}.`);
}

function isRight(value: unknown, { least, most = Number.POSITIVE_INFINITY, isCount, mayBeEndless }: NumberRule): boolean {
  if (typeof value !== "number" || !(value >= least && value <= most)) return false;
  if (value === Number.POSITIVE_INFINITY) return mayBeEndless === true;
  return isCount === true ? Number.isInteger(value) : mayBeEndless === true || value <= LONGEST_MS;
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new TypeError(otherwise);
}
