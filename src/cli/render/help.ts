import type { HelpConfiguration } from "commander";
import { colorsFor } from "./screen.ts";

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ["0", "success"],
  ["1", "failure; stderr has the message and a hint"],
  ["2", "the command line is wrong or cannot be executed"],
  ["130", "cancelled by Ctrl-C (143: by SIGTERM); all processes are ended"],
];

/** The text below the options of every command: examples and exit codes. */
export function helpAfter(examples: readonly string[]): string {
  const { bold } = colorsFor(process.stdout);
  const codes = EXIT_CODES.map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`);
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
