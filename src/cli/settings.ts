import type { ConfigDefaults, ConfigFile } from "../config/read-config-file.ts";
import { isAboutSystemPrompt } from "../request/check-support.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { ProviderOrigin } from "../spec/provider/provider-facts.ts";
import { shortPath } from "./terminal/terminal-text.ts";
import { UsageError } from "./usage-error.ts";

/** The settings of `cox ask` that have a default by environment and configuration file. */
export const SETTING_NAMES = ["provider", "model", "system"] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** Where a setting comes from; `label` names the place in messages. */
export type SettingSource = { readonly kind: "option" | "environment" | ProviderOrigin["scope"]; readonly label: string };

export type Setting = { readonly value: string; readonly from: SettingSource };

export type Settings = { readonly [Name in SettingName]?: Setting };

type Environment = Readonly<Record<string, string | undefined>>;
type Level = { readonly kind: SettingSource["kind"]; readonly values: ConfigDefaults; label(name: SettingName): string };

/** The settings in force: an option wins over the environment, that over the project's file, and that over the user's file. */
export function readSettings(given: ConfigDefaults, env: Environment, files: readonly ConfigFile[]): Settings {
  const levels = [optionLevel(given), environmentLevel(env), ...fileLevels(files)];
  const levelOf = (name: SettingName): number => levels.findIndex(({ values }) => values[name] !== undefined);
  const at = (name: SettingName): Setting | undefined => toSetting(levels[levelOf(name)], name);
  const [provider, system] = [at("provider"), at("system")];
  // A model belongs to the provider beside it: the model of a file is not for the provider of an option.
  const model = provider !== undefined && levelOf("model") > levelOf("provider") ? undefined : at("model");
  if (model?.value.trim() === "") throw new UsageError(`${model.from.label} is empty.`, "Name a model, or leave it out.");
  return { ...(provider && { provider }), ...(model && { model }), ...(system && { system }) };
}

export function variableOf(name: SettingName): string {
  return `COXSWAIN_${name.toUpperCase()}`;
}

function optionLevel(values: ConfigDefaults): Level {
  return { kind: "option", values, label: (name) => `--${name}` };
}

/** An empty variable counts as unset. */
function environmentLevel(env: Environment): Level {
  const set = SETTING_NAMES.flatMap((name) => {
    const value = env[variableOf(name)];
    return value ? [[name, value] as const] : [];
  });
  return { kind: "environment", values: Object.fromEntries(set), label: variableOf };
}

function fileLevels(files: readonly ConfigFile[]): readonly Level[] {
  const order: readonly ProviderOrigin["scope"][] = ["given", "project", "user"];
  const sorted = files.toSorted((one, other) => order.indexOf(one.scope) - order.indexOf(other.scope));
  return sorted.map(({ scope, path, defaults }) => ({
    kind: scope,
    values: defaults,
    label: (name) => `defaults.${name} in ${shortPath(path)}`,
  }));
}

function toSetting(level: Level | undefined, name: SettingName): Setting | undefined {
  const value = level?.values[name];
  return level === undefined || value === undefined ? undefined : { value, from: { kind: level.kind, label: level.label(name) } };
}

/** The failure; if a CLI refused a system prompt that no option gave, its message names where the system prompt comes from. */
export function withSourceOfSystem(failure: Failure, { system }: Settings): Failure {
  if (system === undefined || system.from.kind === "option" || !isAboutSystemPrompt(failure)) return failure;
  return {
    ...failure,
    message: failure.message.replace(/\.$/, () => ` (${system.from.label}).`),
    hint: 'Use -s "" for no system prompt, or another provider.',
  };
}
