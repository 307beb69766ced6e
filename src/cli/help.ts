import type { Command } from "commander";
import { didYouMean } from "../spec/fields.ts";
import { EXIT } from "./exit-codes.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { UsageError } from "./usage-error.ts";

export function addHelpCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("help")
    .summary("show help for a command")
    .description("Show the help of a command, or of cox if none is given.")
    .argument("[command...]", "the command, such as ask or quota clear")
    .addHelpText("after", helpAfter(["cox help ask", "cox help quota clear"]))
    .action((names: string[]) => {
      findCommand(program, names).outputHelp();
      exit(EXIT.answered);
    });
}

function findCommand(program: Command, names: readonly string[]): Command {
  let command = program;
  for (const name of names) {
    const known = command.commands.map((each) => each.name());
    const found = command.commands.find((each) => each.name() === name);
    if (found === undefined) {
      const of = command === program ? "" : ` of cox ${command.name()}`;
      const hint =
        didYouMean(name, known) || (known.length === 0 ? "It has no commands." : `Choose one of: ${known.join(", ")}.`);
      throw new UsageError(`There is no command "${name}"${of}.`, hint);
    }
    command = found;
  }
  return command;
}
