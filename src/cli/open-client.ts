import { relative } from "node:path";
import type { Command } from "commander";
import { type Client, createClient } from "../client.ts";
import { builtinProviders } from "../clis/index.ts";
import { findConfigFiles } from "../config/find-config-files.ts";
import { type ConfigFile, type ConfigMistake, describeMistake, readConfigFile } from "../config/read-config-file.ts";
import type { PolicyOptions } from "../spec/policy.ts";
import { UsageError } from "./usage-error.ts";

/** What `--config <file>` and `--no-config` leave behind; undefined when neither was given. */
export type ConfigChoice = string | boolean | undefined;

/** Adds the two options that say which configuration counts. */
export function addConfigOptions(command: Command): Command {
  return command
    .option("--config <file>", "configuration file with further CLIs (default: yours and that of the project)")
    .option("--no-config", "use no configuration file");
}

/** The configuration that counts here; mistakes are in it, not thrown. */
export function readConfigFiles(choice: ConfigChoice): readonly ConfigFile[] {
  if (choice === false) return [];
  const files = typeof choice === "string" ? [{ path: choice, scope: "given" } as const] : findConfigFiles(".", process.env);
  const taken = builtinProviders.flatMap(({ id, aliases }) => [id, ...aliases]);
  return files.map(({ path, scope }) => readConfigFile(path, scope, taken));
}

/** A client with the built-in CLIs and those of the files; of two with one id the user's own counts. */
export function clientWith(files: readonly ConfigFile[], policies: PolicyOptions = {}): Client {
  const providers = [...builtinProviders];
  for (const provider of files.flatMap((file) => file.providers)) {
    if (!providers.some(({ id }) => id === provider.id)) providers.push(provider);
  }
  return createClient({ providers, policies });
}

/** A client with the configuration that counts here; a mistake in that is a usage error. */
export function openClient(choice: ConfigChoice, policies: PolicyOptions = {}): Client {
  const files = readConfigFiles(choice);
  const [first, ...others] = files.flatMap((file) => file.mistakes);
  if (first === undefined) return clientWith(files, policies);
  const more = others.length === 0 ? "" : ` (and ${others.length} more; cox doctor shows all)`;
  throw new UsageError(`${shortMistake(first)}${more}`, "Correct the file, or leave it out with --no-config.");
}

/** A mistake in one line, with the path as people here would write it. */
export function shortMistake(mistake: ConfigMistake): string {
  return describeMistake({ ...mistake, path: shortPath(mistake.path) });
}

/** A path as short as it can be said here. */
export function shortPath(path: string): string {
  const [home, here] = [process.env["HOME"] ?? "", relative(".", path)];
  if (here !== "" && !here.startsWith("..")) return here;
  return home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
