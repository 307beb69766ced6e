import { type Command, Option } from "commander";
import type { Client } from "../client.ts";
import { builtinProviders } from "../clis/index.ts";
import {
  type ConfigFile,
  type ConfigMistake,
  describeMistake,
  findConfigFiles,
  readConfigFile,
} from "../config/read-config-file.ts";
import type { Names } from "../request/targets.ts";
import { openLogFile } from "../run/run-log.ts";
import type { PolicyOptions } from "../spec/client-options.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { LOG_LEVELS, type LogLevel, type LogOptions } from "../spec/run-listener.ts";
import { installedPath } from "./find-provider.ts";
import { shortPath } from "./terminal/terminal-text.ts";
import { UsageError } from "./usage-error.ts";

/** The value of `--config <file>` and `--no-config`; undefined when neither was given. */
export type ConfigChoice = string | boolean | undefined;

/** Both options at once are a usage error. */
export function addConfigOptions(command: Command, byDefault = "the user's file and the project's file"): Command {
  const given = new Set<string>();
  const note = (flag: string) => (): void => {
    given.add(flag);
    if (given.size > 1) throw new UsageError("--config and --no-config contradict each other.", "Remove one of them.");
  };
  return command
    .option("--config <file>", `configuration file with more CLIs (default: ${byDefault})`)
    .option("--no-config", "read no configuration file")
    .on("option:config", note("--config"))
    .on("option:no-config", note("--no-config"));
}

/** Reads the configuration files of the current directory; mistakes are returned, not thrown. */
export function readConfigFiles(choice: ConfigChoice): readonly ConfigFile[] {
  if (choice === false) return [];
  const files = typeof choice === "string" ? [{ path: choice, scope: "given" } as const] : findConfigFiles(".", process.env);
  const taken = builtinProviders.flatMap(({ id, aliases }) => [id, ...aliases]);
  return files.map(({ path, scope }) => readConfigFile(path, scope, taken));
}

/** The built-in CLIs and those of the files; of two with the same id the user's own is used. */
function providersWith(files: readonly ConfigFile[]): readonly Provider[] {
  const providers = [...builtinProviders];
  for (const provider of files.flatMap((file) => file.providers)) {
    if (!providers.some(({ id }) => id === provider.id)) providers.push(provider);
  }
  return providers;
}

/** What names mean on the command line: the aliases of a file given by `--config` win over those of the user's file. */
export function namesWith(files: readonly ConfigFile[]): Required<Names> {
  const sorted = files.toSorted((one, other) => Number(one.scope === "given") - Number(other.scope === "given"));
  return {
    providers: providersWith(files),
    aliases: Object.fromEntries(sorted.flatMap(({ aliases }) => Object.entries(aliases))),
    isInstalled: (provider) => installedPath(provider) !== undefined,
  };
}

export type LocalClient = {
  readonly names: Names;
  /** Opens the client at the first call and loads its code: a question to a running `cox serve` needs neither. */
  open(): Promise<Client>;
  close(): Promise<void>;
};

export function localClient(files: readonly ConfigFile[], policies: PolicyOptions = {}, flags: LogFlags = {}): LocalClient {
  const names = namesWith(files);
  const { providers, aliases } = names;
  const log = readLogFlags(flags);
  let opened: Promise<Client> | undefined;
  const open = async (): Promise<Client> => (await import("../client.ts")).createClient({ providers, aliases, policies, ...log });
  return {
    names,
    open: () => {
      opened ??= open();
      return opened;
    },
    // A client that could not be opened has nothing to close.
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  };
}

export async function clientWith(files: readonly ConfigFile[], policies?: PolicyOptions, flags?: LogFlags): Promise<Client> {
  return await localClient(files, policies, flags).open();
}

/** A client for the state that is stored, which mistakes in configuration files do not change. */
export async function clientOfState(): Promise<Client> {
  return await clientWith(readConfigFiles(undefined));
}

/** Reads the configuration files of the current directory; a mistake in them is a usage error. */
export function readSoundFiles(choice: ConfigChoice): readonly ConfigFile[] {
  return refuseMistakes(readConfigFiles(choice));
}

/** The user's own configuration without that of a project; a mistake in it is a usage error. */
export function readOwnFiles(choice: ConfigChoice): readonly ConfigFile[] {
  return refuseMistakes(readConfigFiles(choice).filter(({ scope }) => scope !== "project"));
}

function refuseMistakes(files: readonly ConfigFile[]): readonly ConfigFile[] {
  const [first, ...others] = files.flatMap((file) => file.mistakes);
  if (first === undefined) return files;
  const more = others.length === 0 ? "" : ` (and ${others.length} more; cox doctor shows all)`;
  const isGiven = files.some(({ scope }) => scope === "given");
  const advice = isGiven
    ? "Check the file of --config, or leave the option out."
    : "Correct the file, or ignore it with --no-config.";
  throw new UsageError(`${shortMistake(first)}${more}`, advice);
}

export function shortMistake(mistake: ConfigMistake): string {
  return describeMistake({ ...mistake, path: shortPath(mistake.path) });
}

export type LogFlags = { readonly logFile?: string; readonly logLevel?: LogLevel };

export function addLogOptions(command: Command): Command {
  return command
    .optionsGroup("Log:")
    .option("--log-file <path>", "add a line of JSON about each step of a run to this file, without secrets (default: no log)")
    .addOption(
      new Option("--log-level <level>", "the least important lines; only debug has prompts and answers (default: info)").choices(
        LOG_LEVELS,
      ),
    );
}

/** The log that the options choose; a file that cannot be written is a usage error, before anything is started. */
function readLogFlags({ logFile, logLevel }: LogFlags): { readonly log?: LogOptions } {
  if (logFile === undefined) {
    if (logLevel === undefined) return {};
    throw new UsageError("--log-level needs --log-file.", "Name the file, or remove the option.");
  }
  try {
    openLogFile(logFile);
  } catch (error) {
    throw new UsageError(thrownMessage(error), "Name a file in an existing directory with --log-file.");
  }
  return { log: defined({ file: logFile, level: logLevel }) };
}
