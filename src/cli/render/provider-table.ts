import type { Capabilities } from "../../spec/capabilities.ts";
import { describeRange, type VersionRange } from "../../spec/versions.ts";
import type { Colors } from "./colors.ts";
import { type Cell, tableLines } from "./table.ts";
import { toCommandText, toUnbrokenText } from "./terminal-text.ts";

/** The facts about one CLI that `cox providers` prints. */
export type ProviderFacts = {
  readonly id: string;
  readonly label: string;
  readonly builtIn: boolean;
  /** Path of the program, or null. */
  readonly found: string | null;
  /** The configuration file that defines it, or null. */
  readonly origin: string | null;
  readonly install: string;
  readonly login: string | null;
  readonly models: readonly string[];
  readonly defaultModel: string | null;
  readonly streaming: Capabilities["streaming"];
  readonly sessions: boolean;
  readonly systemPrompt: Capabilities["systemPrompt"];
  readonly ownTools: Capabilities["ownTools"];
  readonly structuredOutput: Capabilities["structuredOutput"];
  /** The tested versions, or null. */
  readonly versionsChecked: VersionRange | null;
  /** What the CLI does that Coxswain cannot switch off. */
  readonly limitations: readonly string[];
};

const HEADINGS = ["PROVIDER", "NAME", "MODEL", "STREAMING", "SESSIONS", "STRUCTURED", "CHECKED", "FOUND"];

/** The table of providers, and below it the install commands of the missing ones. */
export function providerTable(providers: readonly ProviderFacts[], colors: Colors): string {
  const headings = HEADINGS.map((text) => ({ text, color: colors.bold }));
  const lines = tableLines([headings, ...providers.map((provider) => toCells(provider, colors))]);
  const missing = providers.filter((provider) => provider.found === null && provider.install !== "");
  const advice = missing.map(
    (provider) => `To install ${toUnbrokenText(provider.label)}: ${colors.cyan(toCommandText(provider.install))}`,
  );
  return `${[...lines, ...(missing.length > 0 ? ["", ...advice] : [])].join("\n")}\n`;
}

function toCells(provider: ProviderFacts, colors: Colors): readonly Cell[] {
  const texts = [
    provider.id,
    provider.label,
    provider.defaultModel ?? "its own",
    provider.streaming,
    provider.sessions ? "yes" : "no",
    provider.structuredOutput,
    provider.builtIn ? "always" : provider.versionsChecked === null ? "" : describeRange(provider.versionsChecked),
  ];
  const found = provider.builtIn ? "built in" : (provider.found ?? "not found");
  return [...texts.map((text) => ({ text })), { text: found, color: provider.found === null ? colors.yellow : colors.green }];
}
