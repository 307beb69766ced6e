import type { Aliases } from "../request/targets.ts";
import { checkNames } from "../spec/fields.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { checkMeaning, checkSchema } from "./check-config.ts";
import { PROVIDER } from "./config-schema.ts";
import { ALIAS_RULE, type ConfigFile, describeMistake, isAliasName, readConfigFile } from "./read-config-file.ts";
import { type ConfigEntry, toProvider } from "./to-provider.ts";

type NameSources = {
  readonly providers: readonly (Provider | ConfigEntry)[];
  readonly aliases?: Aliases;
  readonly config?: string | false;
  readonly binaries?: Readonly<Record<string, string>>;
};

export type ClientNames = { readonly providers: readonly Provider[]; readonly aliases: Aliases };

/**
 * The providers of a client, with the programs that `binaries` names, and its aliases: those of the options and of the file. Throws a TypeError
 * for a mistake.
 */
export function collectNames({ providers, aliases = {}, config = false, binaries = {} }: NameSources): ClientNames {
  checkAliases(aliases);
  const given = readEntries(providers);
  const file = config === false ? undefined : readFile(config, given);
  return {
    providers: withBinaries([...given, ...(file?.providers ?? [])], binaries),
    aliases: { ...file?.aliases, ...aliases },
  };
}

function checkAliases(aliases: Aliases): void {
  if (typeof aliases !== "object" || aliases === null || Array.isArray(aliases))
    throw new TypeError("aliases must be an object of names and chains.");
  for (const [name, chain] of Object.entries(aliases)) {
    if (typeof chain !== "string" || chain.trim() === "")
      throw new TypeError(`The alias ${JSON.stringify(name)} must be a text, such as "claude/opus,codex".`);
    if (!isAliasName(name)) throw new TypeError(`The alias ${JSON.stringify(name)} has ${ALIAS_RULE}.`);
  }
}

function readFile(path: string, providers: readonly Provider[]): ConfigFile {
  const taken = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  const file = readConfigFile(path, "given", taken);
  if (file.mistakes.length > 0) throw new TypeError(file.mistakes.map(describeMistake).join("\n"));
  return file;
}

function withBinaries(providers: readonly Provider[], binaries: Readonly<Record<string, string>>): readonly Provider[] {
  checkNames("createClient.binaries", binaries, Object.fromEntries(providers.map(({ id }) => [id, true])));
  return providers.map((provider) => {
    const path = Object.hasOwn(binaries, provider.id) ? binaries[provider.id] : undefined;
    return path === undefined ? provider : { ...provider, binary: { names: [path] } };
  });
}

/** The provider for an entry in code, which has the fields of an entry in a configuration file; a mistake in it throws a TypeError. */
export function readEntry(entry: ConfigEntry): Provider {
  return readChecked(entry, []);
}

/** The providers of a list that may contain entries; an entry may not have the id of another provider of the list. */
function readEntries(list: readonly (Provider | ConfigEntry)[]): readonly Provider[] {
  const taken = list.flatMap((item) => ("transports" in item ? namesOf(item) : []));
  return list.map((item) => {
    if ("transports" in item) return item;
    const provider = readChecked(item, taken);
    taken.push(provider.id);
    return provider;
  });
}

const REQUIRED = ["aliases", "label", "binary", "install", "traits", "options", "env", "faults", "models"] as const;

/** The names of a provider; throws a TypeError if it lacks a field, which no compiler tells an author of JavaScript. */
function namesOf(provider: Provider): readonly string[] {
  const missing = REQUIRED.filter((name) => provider[name] === undefined);
  if (missing.length > 0) throw new TypeError(`The provider "${provider.id}" lacks ${missing.join(", ")}.`);
  return [provider.id, ...provider.aliases];
}

function readChecked(entry: ConfigEntry, taken: readonly string[]): Provider {
  const value: JsonValue = JSON.parse(JSON.stringify(entry) ?? "null");
  const wrong = checkSchema(PROVIDER, value, { path: [], where: `the entry "${entry?.providerId}"` });
  const mistakes = wrong.length > 0 ? wrong : checkMeaning(entry, new Set(taken));
  if (mistakes.length > 0) throw new TypeError(mistakes.map(({ message }) => message).join("\n"));
  return toProvider(entry);
}
