import { type Capabilities, describeRange, type VersionRange } from "../../spec/provider/cli-data.ts";
import type { Colors, Page } from "../terminal/screen.ts";
import { type Cell, commandLines, hang, headings, tableLines, wrapWords } from "../terminal/table.ts";
import { shortPath, toCommandText, toUnbrokenText } from "../terminal/terminal-text.ts";
import { textWidth } from "../terminal/text-width.ts";

type ShownCapabilities = Pick<
  Capabilities,
  "streaming" | "sessions" | "systemPrompt" | "ownTools" | "structuredOutput" | "resident"
>;

export type ProviderFacts = ShownCapabilities & {
  readonly id: string;
  readonly label: string;
  readonly builtIn: boolean;
  readonly found: string | null;
  readonly origin: string | null;
  readonly install: string;
  readonly login: string | null;
  readonly models: readonly string[];
  readonly defaultModel: string | null;
  readonly versionsChecked: VersionRange | null;
  /** What the CLI does that Coxswain cannot switch off. */
  readonly limitations: readonly string[];
};

const HEADINGS = ["PROVIDER", "NAME", "MODEL", "STREAMING", "SESSIONS", "STRUCTURED", "CHECKED", "FOUND"];

/** The columns that a narrow page omits, the least important first. */
const SPARE = ["CHECKED", "STRUCTURED", "SESSIONS", "STREAMING", "MODEL", "NAME"].map((heading) => HEADINGS.indexOf(heading));
const WIDEST_PATH = 32;

export function providerTable(providers: readonly ProviderFacts[], colors: Colors, page: Page): string {
  const lines = tableLines(
    [headings(HEADINGS, colors.bold), ...providers.map((provider) => toCells(provider, colors, page))],
    page,
    SPARE,
  );
  const missing = providers.filter((provider) => provider.found === null && provider.install !== "");
  const advice = missing.flatMap((provider) => installLines(provider, colors, page));
  return `${[...lines, ...(missing.length > 0 ? ["", ...advice] : [])].join("\n")}\n`;
}

function installLines(provider: ProviderFacts, { cyan }: Colors, { width, isStrict }: Page): readonly string[] {
  const [words, command] = [`${adviceFor(provider)}:`, toCommandText(provider.install)];
  if (!isStrict || textWidth(`${words} ${command}`) <= width) return [`${words} ${cyan(command)}`];
  return [...wrapWords(words, width, true), ...commandLines(command, width - 2).map((line) => `  ${cyan(line)}`)];
}

/** An install command of a configuration file is shown as that file's. */
function adviceFor({ label, origin }: ProviderFacts): string {
  const words = `To install ${toUnbrokenText(label)}`;
  return origin === null ? words : `${words}, ${toUnbrokenText(origin)} names`;
}

function toCells(provider: ProviderFacts, colors: Colors, { isStrict }: Page): readonly Cell[] {
  const texts = [
    provider.id,
    provider.label,
    provider.defaultModel ?? "its own",
    provider.streaming,
    provider.sessions ? "yes" : "no",
    provider.structuredOutput,
    provider.builtIn ? "always" : provider.versionsChecked === null ? "" : describeRange(provider.versionsChecked),
  ];
  const path = isStrict && provider.found !== null ? endOfPath(shortPath(provider.found)) : provider.found;
  const found = provider.builtIn ? "built in" : (path ?? "not found");
  return [...texts, { text: found, color: provider.found === null ? colors.yellow : colors.green }];
}

function endOfPath(path: string): string {
  return path.length > WIDEST_PATH ? `…${path.slice(1 - WIDEST_PATH)}` : path;
}

export function providerDetail(facts: ProviderFacts, { bold }: Colors, page: Page): string {
  const rows: readonly (readonly [string, string])[] = [
    ["program", facts.builtIn ? "built in" : (facts.found ?? "not found")],
    ["from", facts.origin === null ? "built in" : facts.origin],
    ["install", toCommandText(facts.install) || "–"],
    ["login", toCommandText(facts.login ?? "none")],
    ["models", facts.models.join(", ") || "its own"],
    ["default model", facts.defaultModel ?? "its own"],
    ["streaming", facts.streaming],
    ["sessions", facts.sessions ? "yes" : "no"],
    ["system prompt", facts.systemPrompt],
    ["own tools", facts.ownTools === "off" ? "can be switched off" : "cannot be switched off"],
    ["structured", facts.structuredOutput],
    ["kept warm", facts.resident ? "yes" : "no"],
    ["checked with", facts.versionsChecked === null ? "–" : describeRange(facts.versionsChecked)],
  ];
  const limits = facts.limitations.flatMap((limit) => hang("  - ", wrapWords(limit, page.width - 4, page.isStrict)));
  return [
    ...wrapWords(`${facts.label} (${facts.id})`, page.width, page.isStrict).map((line) => bold(line)),
    ...tableLines(rows.flatMap(([name, text]) => toRows(name, text, page))),
    ...(limits.length === 0 ? [] : ["", bold("Limitations"), ...limits]),
    "",
  ].join("\n");
}

const NAME_WIDTH = 15;

function toRows(name: string, text: string, { width, isStrict }: Page): readonly (readonly Cell[])[] {
  return wrapWords(text, width - NAME_WIDTH - 2, isStrict).map((line, index) => [index === 0 ? `  ${name}` : "", line]);
}
