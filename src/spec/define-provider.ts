import type { Provider, Transport } from "./provider.ts";

/** Gives the provider back; only adds types. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}

/** The provider with other parts in its transport. */
export function withSpawn(provider: Provider, parts: Partial<Transport>): Provider {
  return { ...provider, transports: { ...provider.transports, spawn: { ...provider.transports.spawn, ...parts } } };
}
