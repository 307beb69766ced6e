import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { Target } from "../spec/request.ts";

/** A target together with its provider; without one the client has none of that name. */
export type ResolvedTarget = {
  readonly target: Target;
  /** The id of the provider, also where the target named it by an alias. */
  readonly id: string;
  readonly provider?: Provider;
};

/** A target whose provider is there. */
export type KnownTarget = ResolvedTarget & { readonly provider: Provider };

type Providers = { readonly providers: readonly Provider[] };

/** Finds the provider of a target. */
export function resolveTarget(host: Providers, target: Target): ResolvedTarget {
  const provider = findProvider(host, target.provider);
  return { target, id: provider?.id ?? target.provider, ...(provider !== undefined && { provider }) };
}

/** True when the provider of a target is there. */
export function isKnown(target: ResolvedTarget): target is KnownTarget {
  return target.provider !== undefined;
}

/** The provider of that name. */
export function findProvider({ providers }: Providers, name: string): Provider | undefined {
  return providers.find(({ id, aliases }) => id === name || aliases.includes(name));
}

/** The id of the provider of that name; the name itself where there is none. */
export function providerIdOf(host: Providers, name: string): string {
  return findProvider(host, name)?.id ?? name;
}

/** The failure that names the providers there are. */
export function unknownProvider({ providers }: Providers, name: string): Failure {
  const ids = providers.map(({ id }) => id).join(", ");
  return createFailure("provider-unknown", `There is no provider "${name}".`, { hint: `Choose one of: ${ids}.` });
}
