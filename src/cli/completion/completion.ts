import { Argument, type Command } from "commander";
import { builtinProviders } from "../../clis/index.ts";
import { openPrinter } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { readConfigFiles } from "../open-client.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { type DescribedCommand, describeCommands } from "./describe-commands.ts";
import { bashScript, fishScript, zshScript } from "./shell-scripts.ts";

const SCRIPTS: Readonly<Record<string, (commands: readonly DescribedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

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
      openPrinter().out(SCRIPTS[shell]?.(describeCommands(program, knownProviders())) ?? "");
      exit(EXIT.answered);
    });
}

function knownProviders(): readonly string[] {
  const own = readConfigFiles(undefined).filter(({ scope }) => scope === "user");
  return [...builtinProviders, ...own.flatMap(({ providers }) => providers)].map(({ id }) => id);
}
