import { Argument, type Command } from "commander";
import { builtinProviders } from "../../clis/index.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { bashScript, zshScript } from "../completion/bash-script.ts";
import { type DescribedCommand, describeCommands } from "../completion/describe-commands.ts";
import { fishScript } from "../completion/fish-script.ts";
import { EXIT } from "../exit-codes.ts";
import { readConfigFiles } from "../open-client.ts";
import { helpAfter } from "../render/help.ts";
import { processScreen } from "../render/screen.ts";

const SCRIPTS: Readonly<Record<string, (commands: readonly DescribedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Adds `cox completion`: prints a script that completes commands, options and their values in a shell. */
export function addCompletionCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("completion")
    .summary("print the completion script of a shell")
    .description(
      "Print the script that completes the commands and options of cox in a shell. Its first line says how to load it.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      helpAfter(["cox completion bash >> ~/.bashrc", "cox completion fish > ~/.config/fish/completions/cox.fish"]),
    )
    .action((shell: string) => {
      onReaderLeaving(() => process.exit(EXIT.answered));
      processScreen().out(SCRIPTS[shell]?.(describeCommands(program, knownProviders())) ?? "");
      exit(EXIT.answered);
    });
}

/** The built-in CLIs and those of the user's own file. */
function knownProviders(): readonly string[] {
  const own = readConfigFiles(undefined).filter(({ scope }) => scope === "user");
  return [...builtinProviders, ...own.flatMap(({ providers }) => providers)].map(({ id }) => id);
}
