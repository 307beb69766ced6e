import type { HelpConfiguration } from "commander";
import { EXIT_WORDS } from "../exit-codes.ts";
import { colorsFor } from "./screen.ts";

/** The text below the options of every command: examples and exit codes; `further` are those of this command alone. */
export function helpAfter(examples: readonly string[], further: typeof EXIT_WORDS = []): string {
  const { bold } = colorsFor(process.stdout);
  const words = [...EXIT_WORDS, ...further].toSorted(([one], [other]) => one - other);
  const codes = words.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`);
  return ["", bold("Examples:"), ...examples.map((example) => `  $ ${example}`), "", bold("Exit codes:"), ...codes].join("\n");
}

/** The style of the help: bold headings, commands and options in one colour. */
export function helpStyle(): HelpConfiguration {
  const { bold, cyan } = colorsFor(process.stdout);
  return {
    styleTitle: bold,
    styleCommandText: cyan,
    styleSubcommandText: cyan,
    styleOptionText: cyan,
    styleArgumentText: cyan,
    subcommandTerm: (command) => `${command.name()} ${command.usage().replace("[options] ", "").replace("[options]", "")}`.trim(),
  };
}
