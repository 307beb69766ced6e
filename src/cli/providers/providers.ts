import type { Command } from "commander";
import {
  cellsOf,
  FEATURE_NAMES,
  FEATURES,
  type Feature,
  type Cell as FeatureCell,
  type Support,
} from "../../compatibility/matrix.ts";
import { findInstalled } from "../../launch/find-cli.ts";
import { KnownVersions } from "../../launch/known-versions.ts";
import { capabilitiesOf } from "../../spec/provider/cli-data.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import { openPrinter } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { installedPath, namedProvider } from "../find-provider.ts";
import { addConfigOptions, type ConfigChoice, namesWith, readSoundFiles } from "../open-client.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { type Colors, type Page, printJson, tablePage, textPage } from "../terminal/screen.ts";
import { type Cell, headings, tableLines, wrapWords } from "../terminal/table.ts";
import { shortPath } from "../terminal/terminal-text.ts";
import { type ProviderFacts, providerDetail, providerTable } from "./provider-view.ts";

type ProvidersOptions = { readonly json?: true; readonly matrix?: true; readonly config?: ConfigChoice };

export function addProvidersCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("providers")
    .summary("list the supported CLIs and where they are installed")
    .description(
      "List the supported CLIs, whether each is installed, and its features. With a name, show all details of that CLI, including its limitations. Starts no CLI.",
    )
    .argument("[provider]", "show all details of this CLI")
    .option("--matrix", "show which features of agents each CLI takes, refuses or ignores")
    .option("--json", "print the list as JSON, including limitations");
  addConfigOptions(command)
    .addHelpText("after", helpAfter(["cox providers", "cox providers gemini", "cox providers --matrix", "cox providers --json"]))
    .action((name: string | undefined, options: ProvidersOptions) => exit(showProviders(name, options)));
}

function showProviders(name: string | undefined, options: ProvidersOptions): number {
  const names = namesWith(readSoundFiles(options.config));
  const screen = openPrinter();
  const asked = name === undefined ? undefined : namedProvider(names, name);
  const show = options.matrix === true ? showMatrix : showFacts;
  const { data, text } = show(names.providers, asked, screen.outColors);
  if (options.json === true) printJson(screen, data, 2);
  else screen.out(text());
  return EXIT.answered;
}

type Shown = { readonly data: object; readonly text: () => string };

function showFacts(providers: readonly Provider[], asked: Provider | undefined, colors: Colors): Shown {
  const surroundings = { env: process.env, versions: new KnownVersions(process.env) };
  const factsOf = (provider: Provider): ProviderFacts =>
    toFacts(findInstalled(surroundings, provider).provider, installedPath(provider));
  if (asked !== undefined) {
    const facts = factsOf(asked);
    return { data: facts, text: () => providerDetail(facts, colors, textPage()) };
  }
  const facts = providers.map(factsOf);
  return { data: facts, text: () => providerTable(facts, colors, tablePage()) };
}

function showMatrix(providers: readonly Provider[], asked: Provider | undefined, colors: Colors): Shown {
  const rowOf = (provider: Provider): MatrixRow => ({ id: provider.id, label: provider.label, features: cellsOf(provider) });
  if (asked !== undefined) {
    const row = rowOf(asked);
    return { data: row, text: () => matrixDetail(row, colors, textPage()) };
  }
  const langchain = { id: "langchain", label: "any chat model of LangChain", features: cellsOf("langchain") };
  const rows = [...providers.map(rowOf), langchain];
  return { data: rows, text: () => matrixTable(rows, colors, tablePage()) };
}

function toFacts(provider: Provider, path: string | undefined): ProviderFacts {
  const { binary, origin } = provider;
  const capabilities = capabilitiesOf(provider);
  return {
    id: provider.id,
    label: provider.label,
    builtIn: "own" in binary,
    found: path ?? null,
    origin: origin === undefined ? null : shortPath(origin.path),
    install: provider.install,
    login: provider.login ?? null,
    models: provider.models,
    defaultModel: provider.defaultModel ?? null,
    streaming: capabilities.streaming,
    sessions: capabilities.sessions,
    systemPrompt: capabilities.systemPrompt,
    ownTools: capabilities.ownTools,
    structuredOutput: capabilities.structuredOutput,
    resident: capabilities.resident,
    versionsChecked: provider.versionsChecked ?? null,
    limitations: provider.limitations ?? [],
  };
}

export type MatrixRow = {
  readonly id: string;
  readonly label: string;
  readonly features: Readonly<Record<Feature, FeatureCell>>;
};

const MEANINGS: Readonly<Record<Support, string>> = {
  supported: "the feature works",
  automatic: "nothing to switch on: it works by itself, or the CLI does it in its own way",
  refused: 'asking for it is an error; with compatibility "lenient" it stays off, with a warning',
  ignored: "it has no effect, with a warning",
};

/** The matrix of features, with one column for all providers that have the same cells, and who they are below it. */
export function matrixTable(rows: readonly MatrixRow[], colors: Colors, page: Page): string {
  const groups = [...Map.groupBy(rows, supportsOf).values()].map((members) => ({ members, name: nameOf(members) }));
  const head = headings(["FEATURE", ...groups.map(({ name }) => name.toUpperCase())], colors.bold);
  const body = FEATURES.map((feature): readonly Cell[] => [
    FEATURE_NAMES[feature],
    ...groups.map(({ members: [first] }) => supportCell(first?.features[feature].support ?? "ignored", colors)),
  ]);
  const shared = groups.filter(({ members }) => members.length > 1);
  const legend = shared.flatMap(({ name, members }) => wrap(`${name}: ${members.map(({ id }) => id).join(", ")}`, page));
  return inLines([...tableLines([head, ...body], page), "", ...legend, "", ...meanings(page)]);
}

export function matrixDetail(row: MatrixRow, colors: Colors, page: Page): string {
  const lines = FEATURES.flatMap((feature) => {
    const { support, reason } = row.features[feature];
    const [name, { text, color = (same: string) => same }] = [FEATURE_NAMES[feature], supportCell(support, colors)];
    return [`${name}: ${color(text)}`, ...wrap(reason, { ...page, width: page.width - 2 }).map((line) => `  ${line}`)];
  });
  return inLines([...wrap(`${row.label} (${row.id})`, page).map((line) => colors.bold(line)), ...lines, "", ...meanings(page)]);
}

function inLines(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function wrap(text: string, { width, isStrict }: Page): readonly string[] {
  return wrapWords(text, width, isStrict);
}

function meanings(page: Page): readonly string[] {
  return Object.entries(MEANINGS).flatMap(([support, meaning]) => wrap(`${support}: ${meaning}`, page));
}

function supportsOf({ id, features }: MatrixRow): string {
  return JSON.stringify([id === "langchain", FEATURES.map((feature) => features[feature].support)]);
}

function nameOf([first, ...others]: readonly MatrixRow[]): string {
  return `${first?.id ?? ""}${others.length === 0 ? "" : ` +${others.length}`}`;
}

function supportCell(support: Support, colors: Colors): Exclude<Cell, string> {
  const color = { supported: colors.green, automatic: colors.green, refused: colors.red, ignored: colors.yellow }[support];
  return { text: support, color };
}
