import type { Provider, Transport } from "./provider.ts";

/** Returns the provider unchanged; it only adds types. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}

/** Returns a copy of the provider with other fields in its spawn transport; its resident transport is left out, because it would differ. */
export function withSpawn(provider: Provider, parts: Partial<Transport>): Provider {
  return { ...provider, transports: { spawn: { ...provider.transports.spawn, ...parts } } };
}

/** Returns a copy of the provider for a program that cannot call host tools itself; they then go into the prompt. */
export function withoutNativeTools(provider: Provider): Provider {
  const { spawn, resident } = provider.transports;
  const { nativeTools: _, ...plainSpawn } = spawn;
  if (resident === undefined) return { ...provider, transports: { spawn: plainSpawn } };
  const { nativeTools: __, ...plainResident } = resident;
  return { ...provider, transports: { spawn: plainSpawn, resident: plainResident } };
}
