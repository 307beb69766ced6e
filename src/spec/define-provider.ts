import type { Provider, Transport } from "./provider.ts";

/** Returns the provider unchanged; it only adds types. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}

/** Returns a copy of the provider with other fields in its spawn transport; its resident transport is left out, because it would differ. */
export function withSpawn(provider: Provider, parts: Partial<Transport>): Provider {
  return { ...provider, transports: { spawn: { ...provider.transports.spawn, ...parts } } };
}
