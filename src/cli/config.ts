import type { Command } from "commander";
import type { ConfigFile } from "../config/read-config-file.ts";
import type { Names } from "../request/targets.ts";
import { targetName } from "../spec/request.ts";
import { openPrinter } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { firstInstalled, readTargets } from "./find-provider.ts";
import { addConfigOptions, type ConfigChoice, namesWith, readConfigFiles, shortMistake } from "./open-client.ts";
import { readSettings, SETTING_NAMES, type SettingName, type SettingSource, type Settings, variableOf } from "./settings.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { type Colors, type Page, printJson, tablePage } from "./terminal/screen.ts";
import { hang, headings, tableLines, wrapWords } from "./terminal/table.ts";
import { shortPath, toOneLine } from "./terminal/terminal-text.ts";

type ConfigOptions = { readonly json?: true; readonly config?: ConfigChoice };

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
  const files = readConfigFiles(options.config);
  const names = namesWith(files);
  const settings = readSettings({}, process.env, files);
  readTargets(names, settings, true);
  const shown = SETTING_NAMES.map((name) => toShown(name, settings, names));
  const mistakes = files.flatMap((file) => file.mistakes.map(shortMistake));
  const screen = openPrinter();
  if (options.json === true)
    printJson(screen, { settings: shown, files: files.map(({ path, scope }) => ({ path, scope })), mistakes }, 2);
  else screen.out(configView({ settings: shown, files, mistakes }, screen.outColors, tablePage()));
  return mistakes.length === 0 ? EXIT.answered : EXIT.usage;
}

function toShown(name: SettingName, settings: Settings, names: Names): ShownSetting {
  const setting = settings[name];
  const about = { name, option: `--${name}`, variable: variableOf(name) };
  if (setting !== undefined) {
    const chain = name === "provider" ? readTargets(names, { provider: setting }, true)?.map(targetName).join(",") : undefined;
    return { ...about, value: chain ?? setting.value, from: setting.from.kind, label: setting.from.label };
  }
  return { ...about, value: null, from: "built-in", label: "built in", meaning: builtInMeaning(name, settings, names) };
}

function builtInMeaning(name: SettingName, settings: Settings, names: Names): string {
  if (name === "system") return "none";
  const provider = firstInstalled(names.providers);
  if (name === "provider") return "id" in provider ? `the first installed CLI: ${provider.id}` : "the first installed CLI: none";
  const [target] = readTargets(names, settings, false) ?? ["id" in provider ? { provider: provider.id } : undefined];
  const { defaultModel } = names.providers.find(({ id }) => id === target?.provider) ?? {};
  return target !== undefined && "model" in target
    ? `${target.model}, named with the provider`
    : (defaultModel ?? "the CLI's own");
}

type ShownSetting = {
  readonly name: SettingName;
  readonly option: string;
  readonly variable: string;
  readonly value: string | null;
  readonly from: SettingSource["kind"] | "built-in";
  readonly label: string;
  readonly meaning?: string;
};

type ConfigFindings = {
  readonly settings: readonly ShownSetting[];
  readonly files: readonly Pick<ConfigFile, "path" | "scope">[];
  readonly mistakes: readonly string[];
};

const LONGEST_VALUE = 40;

export function configView({ settings, files, mistakes }: ConfigFindings, { bold, red, dim }: Colors, page: Page): string {
  const rows = settings.map(({ name, value, meaning = "", label }) => [
    name,
    value === null ? { text: meaning, color: dim } : toOneLine(value, LONGEST_VALUE),
    label,
  ]);
  const read = files.map(({ path, scope }) => [`  ${scope}`, shortPath(path)]);
  return [
    ...tableLines([headings(["SETTING", "VALUE", "FROM"], bold), ...rows], page),
    "",
    ...(read.length === 0 ? ["No configuration file was read."] : ["Configuration files:", ...tableLines(read, page)]),
    ...mistakes.flatMap((mistake) => {
      const line = toOneLine(mistake, 600);
      return hang(`${red("✗")} `, page.isStrict ? wrapWords(line, page.width - 2, true) : [line], 2);
    }),
    "",
  ].join("\n");
}
