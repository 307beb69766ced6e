import { checkNames } from "../spec/fields.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { ConfigEntry } from "./config-entry.ts";
import { describeMistake, readConfigFile } from "./read-config-file.ts";
import { readEntries } from "./read-entry.ts";

export type ProviderSources = {
  readonly providers: readonly (Provider | ConfigEntry)[];
  readonly config?: string | false;
  readonly binaries?: Readonly<Record<string, string>>;
};

/** The providers of a client: those of the list and of the file, with the programs that `binaries` names. Throws a TypeError for a mistake. */
export function collectProviders({ providers, config = false, binaries = {} }: ProviderSources): readonly Provider[] {
  const given = readEntries(providers);
  return withBinaries(config === false ? given : [...given, ...readFile(config, given)], binaries);
}

function readFile(path: string, providers: readonly Provider[]): readonly Provider[] {
  const taken = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  const { providers: further, mistakes } = readConfigFile(path, "given", taken);
  if (mistakes.length > 0) throw new TypeError(mistakes.map(describeMistake).join("\n"));
  return further;
}

function withBinaries(providers: readonly Provider[], binaries: Readonly<Record<string, string>>): readonly Provider[] {
  checkNames("createClient.binaries", binaries, Object.fromEntries(providers.map(({ id }) => [id, true])));
  return providers.map((provider) => {
    const path = Object.hasOwn(binaries, provider.id) ? binaries[provider.id] : undefined;
    return path === undefined ? provider : { ...provider, binary: { names: [path] } };
  });
}
