import { Help, type HelpConfiguration } from "commander";
import { EXIT_WORDS } from "../exit-codes.ts";
import { colorsFor, pageWidth } from "./screen.ts";
import { commandLines, hang, wrapWords } from "./table.ts";

const CODE_WIDTH = 7;
/** Descriptions in a narrower column would be hard to read: they stand below their option. */
const NARROWEST_COLUMN = 30;
const BELOW = 6;

/**
 * The text below the options of every command: examples and exit codes, in the width of the page. `further` are those of this command alone, and
 * `common` those of all commands.
 */
export function helpAfter(
  examples: readonly string[],
  further: typeof EXIT_WORDS = [],
  common: typeof EXIT_WORDS = EXIT_WORDS,
): string {
  const { bold } = colorsFor(process.stdout);
  const width = pageWidth();
  const words = [...common, ...further].toSorted(([one], [other]) => one - other);
  const codes = words.flatMap(([code, meaning]) => hang(`  ${String(code).padEnd(3)}  `, wrapWords(meaning, width - CODE_WIDTH)));
  const commands = examples.flatMap((example) => hang("  $ ", commandLines(example, width - 4)));
  return ["", bold("Examples:"), ...commands, "", bold("Exit codes:"), ...codes].join("\n");
}

/** An entry of a list in the help: on a narrow page its description stands below it. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? pageWidth();
  if (description === "" || width - termWidth - 4 >= NARROWEST_COLUMN) {
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  }
  const lines = wrapWords(description, width - BELOW).map((line) => " ".repeat(BELOW) + line);
  return [`  ${term}`, ...lines].join("\n");
}

export function helpStyle(): HelpConfiguration {
  const { bold, cyan } = colorsFor(process.stdout);
  return {
    minWidthToWrap: 20,
    formatItem,
    styleTitle: bold,
    styleCommandText: cyan,
    styleSubcommandText: cyan,
    styleOptionText: cyan,
    styleArgumentText: cyan,
    subcommandTerm: (command) => `${command.name()} ${command.usage().replace("[options] ", "").replace("[options]", "")}`.trim(),
  };
}
