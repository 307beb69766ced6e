import { Argument, type Command } from "commander";
import { builtinProviders } from "../../clis/index.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { readConfigFiles } from "../open-client.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { processScreen } from "../terminal/screen.ts";
import { bashScript, zshScript } from "./bash-script.ts";
import { type DescribedCommand, describeCommands } from "./describe-commands.ts";
import { fishScript } from "./fish-script.ts";

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
