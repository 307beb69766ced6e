import type { Capabilities } from "../../spec/capabilities.ts";
import type { Colors } from "./colors.ts";

/** What `cox providers` tells about one CLI. */
export type ProviderFacts = {
  readonly id: string;
  readonly label: string;
  readonly builtIn: boolean;
  /** Path of the program, or null. */
  readonly found: string | null;
  /** The configuration file that names it, or null. */
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
  readonly versionsChecked: readonly string[];
  /** What it cannot be kept from doing. */
  readonly limitations: readonly string[];
};

const HEADINGS = ["PROVIDER", "NAME", "MODEL", "STREAMING", "SESSIONS", "STRUCTURED", "CHECKED", "FOUND"];

/** The table of providers, and below it how to get those that are not here. */
export function providerTable(providers: readonly ProviderFacts[], colors: Colors): string {
  const rows = providers.map(toCells);
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]): string => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  const lines = providers.map((provider, index) => {
    const [found = "", ...others] = (rows[index] ?? []).toReversed();
    return `${toLine(others.toReversed())}  ${provider.found === null ? colors.yellow(found) : colors.green(found)}`;
  });
  const missing = providers.filter((provider) => provider.found === null && provider.install !== "");
  const advice = missing.map((provider) => `To get ${provider.label}: ${colors.cyan(provider.install)}`);
  return `${[colors.bold(toLine(HEADINGS).trimEnd()), ...lines, ...(missing.length > 0 ? ["", ...advice] : [])].join("\n")}\n`;
}

function toCells(provider: ProviderFacts): readonly string[] {
  return [
    provider.id,
    provider.label,
    provider.defaultModel ?? "its own",
    provider.streaming,
    provider.sessions ? "yes" : "no",
    provider.structuredOutput,
    provider.builtIn ? "always" : provider.versionsChecked.join(", "),
    provider.builtIn ? "built in" : (provider.found ?? "not found"),
  ];
}
