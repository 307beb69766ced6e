import type { FallbackOptions } from "../spec/client-options.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { checkNames, didYouMean, type Fields } from "../spec/fields.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target, TargetChoice } from "../spec/request.ts";

/** The provider is undefined if the client has none of that name. */
export type ResolvedTarget = {
  readonly target: Target;
  /** The id of the provider, even if the target has an alias of it. */
  readonly id: string;
  readonly provider?: Provider;
};

export type ResolvedTargets = readonly [ResolvedTarget, ...ResolvedTarget[]];

export type KnownTarget = ResolvedTarget & { readonly provider: Provider };

type Providers = { readonly providers: readonly Provider[] };

export function resolveTarget(host: Providers, target: Target): ResolvedTarget {
  const provider = findProvider(host, target.provider);
  return { target, id: provider?.id ?? target.provider, ...(provider !== undefined && { provider }) };
}

/** The model that the CLI of a target is asked for; undefined if the CLI chooses its own. */
export function modelOf({ target, provider }: ResolvedTarget): string | undefined {
  return target.model ?? provider?.defaultModel;
}

export function isKnown(target: ResolvedTarget): target is KnownTarget {
  return target.provider !== undefined;
}

export function findProvider({ providers }: Providers, name: string): Provider | undefined {
  return providers.find(({ id, aliases }) => id === name || aliases.includes(name));
}

/** Returns the name itself if no provider has it as its id or alias. */
export function providerIdOf(host: Providers, name: string): string {
  return findProvider(host, name)?.id ?? name;
}

export function unknownProvider({ providers }: Providers, name: string): Failure {
  return createFailure("provider-unknown", `There is no provider "${name}".`, { hint: choiceOf(providers, name) });
}

/** What to choose instead of an unknown name: the nearest one, and all ids. */
export function choiceOf(providers: readonly Provider[], name: string): string {
  const names = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  const ids = providers.map(({ id }) => id).join(", ");
  return `${didYouMean(name, names)} Choose one of: ${ids}.`.trim();
}

const TARGET: Fields<Target> = { provider: true, model: true, profile: true, transport: true, requires: true };

export type Targets = readonly [Target, ...Target[]];

/** Throws a TypeError if there is no target or one is invalid. */
export function parseTargets(targets: TargetChoice | readonly TargetChoice[]): Targets {
  const [first, ...others]: readonly TargetChoice[] = Array.isArray(targets) ? targets : [targets as TargetChoice];
  if (first === undefined) throw new TypeError("A run needs at least one target.");
  return [parseTarget(first), ...others.map(parseTarget)];
}

/** Throws a TypeError if the target is invalid or has an unknown field, or if its provider or model is missing. */
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

/** The targets with each model replaced by its provider's name for it. */
export function mapModels(
  [first, ...others]: Targets,
  { models = {} }: FallbackOptions,
  idOf: (provider: string) => string,
): Targets {
  const map = (target: Target): Target => {
    const name = target.model ?? first.model;
    const known = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;
    const id = idOf(target.provider);
    const model = Object.entries(known ?? {}).find(([provider]) => idOf(provider) === id)?.[1] ?? target.model;
    return model === target.model || model === undefined ? target : { ...target, model };
  };
  return [map(first), ...others.map(map)];
}
