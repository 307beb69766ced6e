import type { Target, TargetChoice } from "../spec/request.ts";
import type { Fields } from "../spec/request-fields.ts";
import { checkNames } from "../spec/text/check-names.ts";

const TARGET: Fields<Target> = { provider: true, model: true, profile: true, transport: true, requires: true };

/** The targets of a run: at least one. */
export type Targets = readonly [Target, ...Target[]];

/** Parses the targets of a run; throws a TypeError if there is none or one is invalid. */
export function parseTargets(targets: TargetChoice | readonly TargetChoice[]): Targets {
  const [first, ...others]: readonly TargetChoice[] = Array.isArray(targets) ? targets : [targets as TargetChoice];
  if (first === undefined) throw new TypeError("A run needs at least one target.");
  return [parseTarget(first), ...others.map(parseTarget)];
}

/** Parses a target; throws a TypeError if it is invalid or has an unknown field, or if its provider or model is missing. */
export function parseTarget(target: TargetChoice): Target {
  if (typeof target === "string" && !isBlank(target)) return parseText(target);
  if (typeof target !== "object" || target === null || typeof target.provider !== "string" || isBlank(target.provider))
    throw new TypeError("A target is a provider's id, id/model, or an object with a provider.");
  checkNames("target", target, TARGET);
  for (const name of ["model", "profile"] as const) {
    if (target[name] !== undefined && typeof target[name] !== "string")
      throw new TypeError(`The ${name} of a target must be a string.`);
  }
  if (target.model !== undefined && isBlank(target.model))
    throw new TypeError("The model of a target is blank; leave it out for the default.");
  return target;
}

function parseText(target: string): Target {
  const [provider = "", ...rest] = target.split("/");
  const model = rest.join("/");
  if (isBlank(provider)) throw new TypeError(`The target "${target}" has no provider before its slash.`);
  if (rest.length === 0) return { provider };
  if (isBlank(model)) throw new TypeError(`The target "${target}" has no model after its slash.`);
  return { provider, model };
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
