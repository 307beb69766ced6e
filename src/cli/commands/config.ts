import type { Command } from "commander";
import type { ConfigFile } from "../../config/read-config-file.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { firstInstalled, readTargets } from "../find-provider.ts";
import { addConfigOptions, type ConfigChoice, providersWith, readConfigFiles, shortMistake } from "../open-client.ts";
import { configView, type ShownSetting } from "../render/config-view.ts";
import { helpAfter } from "../render/help.ts";
import { processScreen, tablePage } from "../render/screen.ts";
import { toJsonText } from "../render/terminal-text.ts";
import { readSettings, SETTING_NAMES, type SettingName, type Settings, variableOf } from "../settings.ts";

type ConfigOptions = { readonly json?: true; readonly config?: ConfigChoice };

/** Adds `cox config`: prints the defaults of `cox ask` and where each comes from. */
export function addConfigCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("config")
    .summary("show the default provider, model and system prompt")
    .description(
      "Show the default provider, model and system prompt of cox ask, where each comes from, and the configuration files. An option wins over the environment, then the project's file, then the user's file. Starts no CLI.",
    )
    .option("--json", "print the settings as JSON");
  addConfigOptions(command)
    .addHelpText("after", helpAfter(["cox config", "cox config --json", "COXSWAIN_PROVIDER=codex cox config"]))
    .action((options: ConfigOptions) => exit(showConfig(options)));
}

function showConfig(options: ConfigOptions): number {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const files = readConfigFiles(options.config);
  const providers = providersWith(files);
  const settings = readSettings({}, process.env, files);
  readTargets(providers, settings, true);
  const shown = SETTING_NAMES.map((name) => toShown(name, settings, providers));
  const mistakes = files.flatMap((file) => file.mistakes.map(shortMistake));
  const screen = processScreen();
  if (options.json === true) screen.out(`${toJsonText({ settings: shown, files: files.map(toFile), mistakes }, 2)}\n`);
  else screen.out(configView({ settings: shown, files, mistakes }, screen.outColors, tablePage()));
  return mistakes.length === 0 ? EXIT.answered : EXIT.usage;
}

function toShown(name: SettingName, settings: Settings, providers: readonly Provider[]): ShownSetting {
  const setting = settings[name];
  const about = { name, option: `--${name}`, variable: variableOf(name) };
  if (setting !== undefined) return { ...about, value: setting.value, from: setting.from.kind, label: setting.from.label };
  return { ...about, value: null, from: "built-in", label: "built in", meaning: builtInMeaning(name, settings, providers) };
}

/** What happens without the setting. */
function builtInMeaning(name: SettingName, settings: Settings, providers: readonly Provider[]): string {
  if (name === "system") return "none";
  const provider = firstInstalled(providers);
  if (name === "provider") return "id" in provider ? `the first installed CLI: ${provider.id}` : "the first installed CLI: none";
  const [target] = readTargets(providers, settings, false) ?? ["id" in provider ? { provider: provider.id } : undefined];
  const { defaultModel } = providers.find(({ id }) => id === target?.provider) ?? {};
  return target !== undefined && "model" in target
    ? `${target.model}, named with the provider`
    : (defaultModel ?? "the CLI's own");
}

function toFile({ path, scope }: ConfigFile): object {
  return { path, scope };
}
