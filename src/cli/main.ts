import { Command, CommanderError } from "commander";
import { thrownMessage } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { addAskCommand } from "./ask/ask.ts";
import { addChatCommand } from "./chat/chat.ts";
import { addCompareCommand } from "./compare/compare.ts";
import { addCompletionCommand } from "./completion/completion.ts";
import { addConfigCommand } from "./config.ts";
import { addDecodeCommand } from "./decode.ts";
import { addDemoCommand } from "./demo/demo.ts";
import { addDoctorCommand } from "./doctor/doctor.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { addHelpCommand } from "./help.ts";
import { addMcpCommand } from "./mcp.ts";
import { addModelsCommand } from "./models.ts";
import { addProvidersCommand } from "./providers/providers.ts";
import { addQuotaCommand } from "./quota.ts";
import { addRunCommand } from "./run.ts";
import { addServeCommand } from "./serve/serve.ts";
import { addSessionsCommand } from "./sessions.ts";
import { printFailure } from "./terminal/failure-lines.ts";
import { helpAfter, helpStyle } from "./terminal/help-text.ts";
import { pageWidth, processScreen } from "./terminal/screen.ts";
import { UsageError } from "./usage-error.ts";

/** Runs `cox` with these arguments and sets the exit code of the process; never rejects. */
export async function main(words: readonly string[]): Promise<void> {
  const exit = (code: number): void => {
    process.exitCode = code;
  };
  const program = createProgram(exit, words[0]);
  try {
    await program.parseAsync(words.length === 0 ? ["--help"] : [...words], { from: "user" });
  } catch (error) {
    process.exitCode = report(error, words);
  }
}

const COMMANDS: Readonly<Record<string, (program: Command, exit: (code: number) => void) => void>> = {
  ask: addAskCommand,
  compare: addCompareCommand,
  run: addRunCommand,
  chat: addChatCommand,
  sessions: addSessionsCommand,
  serve: addServeCommand,
  mcp: addMcpCommand,
  doctor: addDoctorCommand,
  providers: addProvidersCommand,
  models: addModelsCommand,
  config: addConfigCommand,
  quota: addQuotaCommand,
  decode: addDecodeCommand,
  demo: addDemoCommand,
  completion: addCompletionCommand,
  help: addHelpCommand,
};
/** Commands that read the options of the others. */
const READS_OTHERS: readonly string[] = ["completion", "help"];

/** The program with the command of this name, or with all: to describe sixteen commands takes 6 ms of a start. */
export function createProgram(exit: (code: number) => void, name = ""): Command {
  const program = new Command("cox")
    .description("Runs the AI CLIs that you are already logged in to as model providers.")
    .option("-V, --version", "print the version of Coxswain")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .configureHelp(helpStyle())
    .configureOutput({ outputError: () => undefined, getOutHelpWidth: pageWidth })
    .exitOverride()
    .addHelpText(
      "after",
      helpAfter(["cox demo", "cox doctor", 'cox ask "What does a coxswain do?"', "cox chat", "cox ask --help"]),
    );
  const named = Object.hasOwn(COMMANDS, name) && !READS_OTHERS.includes(name) ? COMMANDS[name] : undefined;
  for (const add of named === undefined ? Object.values(COMMANDS) : [named]) add(program, exit);
  return program;
}

/** Prints an error that ended the command, in two lines; returns its exit code. */
function report(error: unknown, words: readonly string[]): number {
  const screen = processScreen();
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.answered;
  if (error instanceof CommanderError || error instanceof UsageError) {
    printFailure(screen, error instanceof UsageError ? error : toUsageError(error, words));
    return EXIT.usage;
  }
  if (RunError.is(error)) {
    printFailure(screen, error.failure);
    return exitCodeOf(error.failure);
  }
  const message = thrownMessage(error);
  printFailure(screen, { message, hint: "This is a bug in Coxswain. Please report it with the command that you ran." });
  return EXIT.failed;
}

/** The commands whose arguments are a prompt. */
const ASKING: readonly string[] = ["ask", "compare", "run"];
const SUGGESTION = /\n\((Did you mean .*)\)$/;

/** Converts commander's `error: message (Did you mean this?)` to a message and a hint; a prompt may be mistaken for an option. */
function toUsageError({ code, message: said }: CommanderError, [command]: readonly string[]): UsageError {
  const plain = said.replace(/^error: /, "").replace(SUGGESTION, "");
  const message = plain.charAt(0).toUpperCase() + plain.slice(1);
  const suggestion = SUGGESTION.exec(said)?.[1];
  const isPrompt =
    ASKING.includes(command ?? "") && code === "commander.unknownOption" && (suggestion === undefined || /'.*\s.*'/s.test(plain));
  if (isPrompt)
    return new UsageError(
      message,
      `See cox ${command} --help. A prompt that begins with a dash goes after --: cox ${command} -- "-x …"`,
    );
  return new UsageError(message, suggestion ?? "See cox --help, or cox <command> --help.");
}
