import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { isFile, projectFolders } from "../request/project/scan-project.ts";
import type { Aliases } from "../request/targets.ts";
import { thrownCode } from "../spec/failure/failure.ts";
import { type JsonObject, type JsonValue, listOf, objectOf } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { ProviderOrigin } from "../spec/provider/provider-facts.ts";
import { checkMeaning, checkSchema } from "./check-config.ts";
import { ALIASES, CONFIG_SCHEMA, DEFAULTS, PROVIDER } from "./config-schema.ts";
import { type JsonMistake, type PlacedMistake, readJsonText } from "./json-text.ts";
import { type ConfigEntry, toProvider } from "./to-provider.ts";

/** A mistake in a configuration file; line and column count from 1. */
export type ConfigMistake = PlacedMistake & { readonly path: string };

/** The defaults of `cox ask` in a configuration file. */
export type ConfigDefaults = { readonly provider?: string; readonly model?: string; readonly system?: string };

/** The content of a configuration file: its defaults, its aliases, the providers of its valid entries, and every mistake. */
export type ConfigFile = ProviderOrigin & {
  /** Empty if the file has a mistake in them. */
  readonly defaults: ConfigDefaults;
  /** Empty if the file has a mistake in them, or is a project's. */
  readonly aliases: Aliases;
  readonly providers: readonly Provider[];
  readonly mistakes: readonly ConfigMistake[];
};

const LARGEST_FILE = 1024 * 1024;

/** Reads and validates a configuration file; starts nothing and never throws. Its entries may not use the ids in `taken`. */
export function readConfigFile(
  path: string,
  scope: ProviderOrigin["scope"] = "given",
  taken: readonly string[] = [],
): ConfigFile {
  const origin = { path: resolve(path), scope };
  const text = readText(origin.path);
  const json = text instanceof Error ? { line: 1, column: 1, message: text.message } : readJsonText(text);
  if ("message" in json) return { ...origin, ...NOTHING, mistakes: [{ path: origin.path, ...json }] };
  const { mistakes, ...found } = readContent(json.value, origin, taken);
  const placed = mistakes.map(json.place).toSorted((one, other) => one.line - other.line || one.column - other.column);
  return { ...origin, ...found, mistakes: placed.map((mistake) => ({ path: origin.path, ...mistake })) };
}

/** A mistake in one line, in the format of compilers: `file:line:column: message`. */
export function describeMistake({ path, line, column, message }: ConfigMistake): string {
  return `${path}:${line}:${column}: ${message}`;
}

function readText(path: string): string | Error {
  try {
    const bytes = readFileSync(path);
    return bytes.length > LARGEST_FILE ? new Error("this is too large for a configuration file") : bytes.toString("utf8");
  } catch (error) {
    const reason = thrownCode(error) ?? String(error);
    return new Error(reason === "ENOENT" ? "there is no such file" : `this cannot be read (${reason})`);
  }
}

type Found = {
  readonly defaults: ConfigDefaults;
  readonly aliases: Aliases;
  readonly providers: readonly Provider[];
  readonly mistakes: readonly JsonMistake[];
};

const NOTHING: Found = { defaults: {}, aliases: {}, providers: [], mistakes: [] };

function readContent(value: JsonValue, origin: ProviderOrigin, taken: readonly string[]): Found {
  const { defaults, aliases, providers } = objectOf(value) ?? {};
  const isForeign = origin.scope === "project";
  const wrongDefaults = isForeign ? checkProjectDefaults(objectOf(defaults) ?? {}) : [];
  const wrongAliases =
    aliases === undefined || !isForeign
      ? []
      : [{ path: ["aliases"], isName: true, message: "a project's file cannot set aliases" }];
  const unusable = Object.keys(objectOf(aliases) ?? {}).filter((name) => !isAliasName(name));
  const wrongNames = unusable.map((name) => ({ path: ["aliases", name], isName: true, message: `the alias has ${ALIAS_RULE}` }));
  const found = readProviders(listOf(providers), origin, taken);
  return {
    ...found,
    // The schemas were checked, so the values have these types.
    defaults: wrongDefaults.length === 0 ? ((soundValue(DEFAULTS, defaults) ?? {}) as ConfigDefaults) : {},
    aliases: wrongAliases.length + wrongNames.length === 0 ? ((soundValue(ALIASES, aliases) ?? {}) as Aliases) : {},
    mistakes: [...checkSchema(CONFIG_SCHEMA, value), ...found.mistakes, ...wrongDefaults, ...wrongAliases, ...wrongNames],
  };
}

/** Why an alias could never be found in a chain. */
export const ALIAS_RULE = "no name, a comma in it, or a blank at one of its ends";

export function isAliasName(name: string): boolean {
  return name !== "" && !name.includes(",") && name.trim() === name;
}

/** Undefined if the value does not match the schema. */
function soundValue(schema: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  return value !== undefined && checkSchema(schema, value).length === 0 ? value : undefined;
}

/** A project's author may be a stranger: decision 21. */
function checkProjectDefaults({ system, provider }: JsonObject): readonly JsonMistake[] {
  const systemMistake = {
    path: ["defaults", "system"],
    isName: true,
    message: "a project's file cannot set a system prompt",
  };
  const chainMistake = { path: ["defaults", "provider"], message: "a project's file cannot choose more than one provider" };
  return [...(system === undefined ? [] : [systemMistake]), ...(String(provider).includes(",") ? [chainMistake] : [])];
}

function readProviders(
  entries: readonly JsonValue[],
  origin: ProviderOrigin,
  taken: readonly string[],
): Pick<Found, "providers" | "mistakes"> {
  const mistakes: JsonMistake[] = [];
  const used = new Set(taken);
  const providers: Provider[] = [];
  for (const [index, value] of entries.entries()) {
    // The schema of the whole file reports these mistakes.
    if (checkSchema(PROVIDER, value).length > 0) continue;
    // The schema was checked, so the value has this type.
    const entry = value as ConfigEntry;
    const wrong = checkMeaning(entry, used, ["providers", index]);
    used.add(entry.providerId);
    if (wrong.length === 0) providers.push(toProvider(entry, origin));
    mistakes.push(...wrong);
  }
  return { providers, mistakes };
}

const PROJECT_FILE = "coxswain.config.json";

/** The user's configuration file, and the nearest of the project up to the repository's root; outside of one only in `cwd`. */
export function findConfigFiles(cwd: string, env: Readonly<Record<string, string | undefined>>): readonly ProviderOrigin[] {
  const user = userFile(env);
  const project = projectFolders(resolve(cwd))
    .map((folder) => join(folder, PROJECT_FILE))
    .find(isFile);
  return [
    ...(user !== undefined && isFile(user) ? [{ path: user, scope: "user" } as const] : []),
    ...(project === undefined ? [] : [{ path: project, scope: "project" } as const]),
  ];
}

/** Undefined without an absolute home: with a relative one the file of a project would count as the user's own. */
function userFile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isPlace = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);
  const home = [env["HOME"], env["USERPROFILE"], homedir()].find(isPlace);
  const base = process.platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"];
  const folder = isPlace(base) ? base : home && join(home, ".config");
  return folder && join(folder, "coxswain", "config.json");
}
