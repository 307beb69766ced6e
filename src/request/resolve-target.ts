import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import { didYouMean } from "../spec/text/nearest-name.ts";

/** A target with its provider; undefined if the client has no provider of that name. */
export type ResolvedTarget = {
  readonly target: Target;
  /** The id of the provider, even if the target has an alias of it. */
  readonly id: string;
  readonly provider?: Provider;
};

/** The targets of a run, at least one. */
export type ResolvedTargets = readonly [ResolvedTarget, ...ResolvedTarget[]];

/** A target whose provider exists. */
export type KnownTarget = ResolvedTarget & { readonly provider: Provider };

type Providers = { readonly providers: readonly Provider[] };

/** Finds the provider of a target. */
export function resolveTarget(host: Providers, target: Target): ResolvedTarget {
  const provider = findProvider(host, target.provider);
  return { target, id: provider?.id ?? target.provider, ...(provider !== undefined && { provider }) };
}

/** The model that the CLI of a target is asked for; undefined if the CLI chooses its own. */
export function modelOf({ target, provider }: ResolvedTarget): string | undefined {
  return target.model ?? provider?.defaultModel;
}

/** True if the provider of a target exists. */
export function isKnown(target: ResolvedTarget): target is KnownTarget {
  return target.provider !== undefined;
}

/** The provider with that id or alias. */
export function findProvider({ providers }: Providers, name: string): Provider | undefined {
  return providers.find(({ id, aliases }) => id === name || aliases.includes(name));
}

/** The id of the provider with that id or alias; the name itself if there is none. */
export function providerIdOf(host: Providers, name: string): string {
  return findProvider(host, name)?.id ?? name;
}

/** The failure of an unknown provider; it suggests the nearest name and lists the known ones. */
export function unknownProvider({ providers }: Providers, name: string): Failure {
  return createFailure("provider-unknown", `There is no provider "${name}".`, { hint: choiceOf(providers, name) });
}

/** What to choose instead of an unknown name: the nearest one, and all ids. */
export function choiceOf(providers: readonly Provider[], name: string): string {
  const names = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  const ids = providers.map(({ id }) => id).join(", ");
  return `${didYouMean(name, names)} Choose one of: ${ids}.`.trim();
}
