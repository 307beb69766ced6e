import type { Argument, Command, Option } from "commander";
import { defined } from "../../spec/json.ts";

/** What can follow an option or stand as an argument: one of these words, a file or a directory; undefined for any text. */
export type Values =
  | { readonly kind: "words"; readonly words: readonly string[]; readonly isList?: boolean }
  | { readonly kind: "file" }
  | { readonly kind: "directory" };

export type DescribedOption = {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly values?: Values;
};

/** A command as completion scripts need it; `words` are the words that select it, such as `quota clear`. */
export type DescribedCommand = {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly DescribedOption[];
  readonly subcommands: readonly string[];
  readonly values?: Values;
};

/** Describes the commands of a program with all below them, from the options that they parse; the program itself is the first. */
export function describeCommands(program: Command, providers: readonly string[]): readonly DescribedCommand[] {
  return describe(program, [], { providers, commands: program.commands.map((command) => command.name()) });
}

type Names = { readonly providers: readonly string[]; readonly commands: readonly string[] };

function describe(command: Command, words: readonly string[], names: Names): readonly DescribedCommand[] {
  const values = command.registeredArguments
    .map((argument) => argumentValues(argument, names))
    .find((each) => each !== undefined);
  const options = command.createHelp().visibleOptions(command);
  const own: DescribedCommand = defined({
    words,
    summary: command.summary() || command.description(),
    options: options.map((option) => describeOption(option, names)),
    subcommands: command.commands.map((each) => each.name()),
    values,
  });
  return [own, ...command.commands.flatMap((each) => describe(each, [...words, each.name()], names))];
}

function describeOption(option: Option, names: Names): DescribedOption {
  return defined({
    flags: [option.short, option.long].filter((flag) => typeof flag === "string"),
    description: option.description,
    takesValue: option.required || option.optional,
    values: optionValues(option, names),
  });
}

/** The placeholder of an option says what its value is: `<ids>`, `<file>`, `<path>`, `<dir>`. */
function optionValues({ flags, argChoices }: Option, { providers }: Names): Values | undefined {
  if (argChoices !== undefined) return { kind: "words", words: argChoices };
  const [, placeholder] = /<(\w+)>/.exec(flags) ?? [];
  if (placeholder === "ids") return { kind: "words", words: providers, isList: true };
  if (placeholder === "file" || placeholder === "path") return { kind: "file" };
  return placeholder === "dir" ? { kind: "directory" } : undefined;
}

function argumentValues(argument: Argument, { providers, commands }: Names): Values | undefined {
  if (argument.argChoices !== undefined) return { kind: "words", words: argument.argChoices };
  switch (argument.name()) {
    case "provider":
      return { kind: "words", words: providers };
    case "command":
      return { kind: "words", words: commands };
    default:
      return undefined;
  }
}
