import { LONGEST_TIMER_MS } from "../run/pause.ts";
import type { Budget, PolicyOptions, WarmOptions } from "../spec/client-options.ts";
import { didYouMean } from "../spec/fields.ts";
import { isJsonObject } from "../spec/json.ts";

/** `isCount` is set if the number must be an integer, and `mayBeEndless` if it may be Infinity. */
type NumberRule = { readonly least: number; readonly most?: number; readonly isCount?: true; readonly mayBeEndless?: true };

const COUNT: NumberRule = { least: 0, isCount: true };
const PLACES: NumberRule = { least: 1, isCount: true, mayBeEndless: true };
const TIME: NumberRule = { least: 0 };
const AMOUNT: NumberRule = { least: 0, mayBeEndless: true };

const RULES: Readonly<Record<keyof PolicyOptions, Readonly<Record<string, NumberRule | "boolean" | "object">>>> = {
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
    const rules: Readonly<Record<string, NumberRule | "boolean" | "object">> | undefined = Object.hasOwn(RULES, part)
      ? RULES[part as keyof PolicyOptions]
      : undefined;
    demand(
      rules !== undefined,
      `There is no policy "${part}": ${Object.keys(RULES).join(", ")}. ${didYouMean(part, Object.keys(RULES))}`.trim(),
    );
    if (values === false || values === undefined) continue;
    readGroup(`policies.${part}`, values, rules);
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

function readGroup(place: string, values: unknown, rules: Readonly<Record<string, NumberRule | "boolean" | "object">>): void {
  demand(isJsonObject(values), `${place} must be an object or false.`);
  for (const [name, value] of Object.entries(values))
    if (!Object.hasOwn(rules, name)) throw noOption(place, name, Object.keys(rules));
    else readOption(`${place}.${name}`, value, rules[name]);
}

function noOption(place: string, name: string, names: readonly string[]): TypeError {
  return new TypeError(`There is no option ${place}.${name}: ${names.join(", ")}. ${didYouMean(name, names)}`.trim());
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
