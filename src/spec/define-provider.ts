import type { Provider } from "./provider.ts";

/** Gives the provider back; only adds types. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}
