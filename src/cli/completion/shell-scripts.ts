import type { DescribedCommand, DescribedOption, Values } from "./describe-commands.ts";

export function bashScript(commands: readonly DescribedCommand[]): string {
  return `# Completion of cox for bash. Load it with: source <(cox completion bash)\n${functionText(commands)}`;
}

/** zsh runs the function of bash. */
export function zshScript(commands: readonly DescribedCommand[]): string {
  return [
    "# Completion of cox for zsh. Load it after compinit with: source <(cox completion zsh)",
    "autoload -U +X bashcompinit && bashcompinit",
    functionText(commands),
  ].join("\n");
}

/** Words of ours never contain quotes, blanks or `$`; a name that does is left out instead of being quoted. */
const PLAIN = /^[\w@%+=:,./-]+$/;

function functionText(commands: readonly DescribedCommand[]): string {
  const deeper = commands.filter(({ words }) => words.length > 1).map(({ words }) => words.join(" "));
  return `_cox_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_cox_list() {
  local before=""
  case "$current" in *,*) before="\${current%,*}," ;; esac
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "\${current##*,}"))
}
_cox_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$current"))
  compopt -o filenames 2>/dev/null || true
}
_cox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command=""
  COMPREPLY=()
  # Bash splits --option=value at the sign.
  if [ "$current" = "=" ]; then current=""; elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -gt 1 ]; then command="\${COMP_WORDS[1]}"; fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in ${deeper.map((words) => `"${words}"`).join("|") || '""'}) command="$command \${COMP_WORDS[2]}" ;; esac
  fi
  case "$command $previous" in
${commands.flatMap(optionCases).join("\n")}
  esac
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
complete -F _cox cox
`;
}

/** One case for each option with a value: it is completed, or nothing is if any text can follow. */
function optionCases({ words, options }: DescribedCommand): readonly string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flags, values }) => {
      const cases = flags.map((flag) => `"${words.join(" ")} ${flag}"`).join("|");
      return `    ${cases}) ${values === undefined ? "" : `${call(values)}; `}return ;;`;
    });
}

function commandCase({ words, options, subcommands, values }: DescribedCommand): string {
  const flags = options.flatMap((option) => option.flags);
  const following = values ?? (subcommands.length === 0 ? undefined : toWords(subcommands));
  const others = following === undefined ? ":" : call(following);
  return `    "${words.join(" ")}") case "$current" in -*) ${call(toWords(flags))} ;; *) ${others} ;; esac ;;`;
}

function toWords(words: readonly string[]): Values {
  return { kind: "words", words };
}

function call(values: Values): string {
  if (values.kind !== "words") return `_cox_paths ${values.kind === "file" ? "-f" : "-d"}`;
  const words = values.words.filter((word) => PLAIN.test(word)).join(" ");
  return `${values.isList === true ? "_cox_list" : "_cox_words"} "${words}"`;
}

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
