import type { DescribedCommand, DescribedOption, Values } from "./describe-commands.ts";

export function fishScript(commands: readonly DescribedCommand[]): string {
  return [
    "# Completion of cox for fish. Load it with: cox completion fish | source",
    "complete -c cox -f",
    ...commands.flatMap((command) => commandLines(command, commands)),
    "",
  ].join("\n");
}

function commandLines(
  { words, options, subcommands, values }: DescribedCommand,
  all: readonly DescribedCommand[],
): readonly string[] {
  const condition = conditionOf(words);
  const names = subcommands.map((name) => {
    const summary = all.find((each) => each.words.join(" ") === [...words, name].join(" "))?.summary ?? "";
    return `complete -c cox ${condition} -a ${quoted(name)} -d ${quoted(summary)}`;
  });
  return [
    ...names,
    ...(values === undefined ? [] : [`complete -c cox ${condition} ${valuesOf(values)}`]),
    ...options.map((option) => `complete -c cox ${condition} ${optionText(option)}`),
  ];
}

function conditionOf(words: readonly string[]): string {
  if (words.length === 0) return "-n __fish_use_subcommand";
  return `-n ${quoted(words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and "))}`;
}

function optionText({ flags, description, takesValue, values }: DescribedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takesValue ? [values === undefined ? "-x" : valuesOf(values)] : [];
  return [...names, ...value, `-d ${quoted(description)}`].join(" ");
}

function valuesOf(values: Values): string {
  if (values.kind === "file") return "-r -F";
  return values.kind === "directory" ? "-x -a '(__fish_complete_directories)'" : `-x -a ${quoted(values.words.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
