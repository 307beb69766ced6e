import { type Command, Option } from "commander";
import type { Client } from "../../client.ts";
import type { Failure } from "../../spec/failure.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";
import {
  type AskOptions,
  type AskOutput,
  addValue,
  checkAgentOptions,
  chosenOutput,
  PERMISSION_MODES,
  readRetries,
  readSeconds,
  readUsd,
  readWaitSeconds,
  toRequest,
} from "../ask-options.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { firstInstalled, readProviderOption, type Targets } from "../find-provider.ts";
import { addConfigOptions, openClient } from "../open-client.ts";
import { printRun } from "../print-run.ts";
import { readPrompt } from "../read-prompt.ts";
import { failureLines } from "../render/failure-lines.ts";
import { helpAfter } from "../render/help.ts";
import { processScreen, type Screen } from "../render/screen.ts";
import { toJsonText } from "../render/terminal-text.ts";

/** Adds `cox ask`: one question, one answer. */
export function addAskCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("ask")
    .summary("ask one question and stream the answer")
    .description(
      "Send one prompt and print the answer. A terminal shows the text while it streams. A file or a pipe gets the text once it is final (--stream-json prints all events live). Tool calls, warnings and errors go to stderr.",
    )
    .argument("[prompt...]", "the prompt; text from stdin is added to it, or is the prompt if there is no argument")
    .option(
      "--provider <ids>",
      "the CLI to use, or a fallback chain separated by commas, each as id or id/model (default: the first installed CLI, without fallback)",
    )
    .option("--model <name>", "the model; with several CLIs, the model of the first one (default: the CLI's default)")
    .option("--system <text>", "system prompt (default: none)")
    .option("--schema <file>", "JSON Schema file; the answer is JSON that matches it")
    .option(
      "--timeout <seconds>",
      "timeout of the whole run (default: 600 s for each attempt, no limit with --agent)",
      readSeconds,
    );
  addConfigOptions(command);
  addPolicyOptions(command)
    .optionsGroup("Working in a directory:")
    .option("--agent", "agent mode: the CLI uses its own tools (default: completion mode, without tools)")
    .option("--cwd <dir>", "working directory of the CLI (default: the current directory)")
    .option("--add-dir <dir>", "another directory that the CLI may use; repeatable", addValue)
    .option("--allow-tool <pattern>", 'a tool that may run without approval, such as "Bash(git status)"; repeatable', addValue)
    .addOption(new Option("--permission-mode <mode>", "permission mode of the CLI (default: default)").choices(PERMISSION_MODES))
    .option("--no-background", "disable background work of the CLI (default: the run waits for it)")
    .optionsGroup("Output (one of):")
    .option("--json", "print the result as one JSON object")
    .option("--stream-json", "print each event as it happens, one JSON object per line")
    .option("--dry-run", "print the command line and its environment as JSON without starting it")
    .addHelpText("after", helpAfter(EXAMPLES))
    .action(async (words: string[], options: AskOptions) => exit(await ask(words, options)));
}

function addPolicyOptions(command: Command): Command {
  return command
    .optionsGroup("Failures and limits:")
    .option("--retries <n>", "number of retries per CLI after a temporary failure, 0 to 10", readRetries, 2)
    .option("--no-fallback", "use only the first CLI of a chain")
    .option("--max-wait <seconds>", "maximum sum of the waits between the attempts of one CLI (default: 60)", readWaitSeconds)
    .option("--budget-usd <amount>", "stop when the cost of all attempts reaches this amount (default: no limit)", readUsd);
}

const EXAMPLES = [
  'cox ask "What does a coxswain do?"',
  'git diff | cox ask "Write a commit message for this diff"',
  'cox ask --provider claude --model haiku --json "Three names for a boat"',
  'cox ask --provider claude/opus,codex --budget-usd 0.50 "Review this" < diff.txt',
  'cox ask --agent --permission-mode plan "How is this project built?"',
  'cox ask --provider rehearsal --model tool --agent "What time is it?"   # no account needed',
];

async function ask(words: readonly string[], options: AskOptions): Promise<number> {
  const output = chosenOutput(options);
  checkAgentOptions(options);
  const rest = toRequest(options);
  const client = openClient(options.config, { retry: { retries: options.retries } });
  const cancellation = listenForCancellation();
  try {
    const named = readProviderOption(client.providers, options);
    const prompt = await readPrompt(words, cancellation.signal);
    if (prompt === undefined) return cancellation.exitCode() ?? EXIT.interrupted;
    const targets = named ?? firstTarget(client, options.model);
    if ("failure" in targets) return refuse(targets.failure, output);
    const request = { prompt, ...rest };
    const [first] = targets;
    if (output === "dry-run") return printPlan(client, first, request);
    const stream = client.run(targets, request, { signal: cancellation.signal });
    const chain = { targets, attempts: options.retries + 1 };
    return toExitCode(await printRun(output, stream, quietScreen(cancellation), chain), cancellation);
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

/** Without --provider cox asks the first installed CLI alone: a prompt never goes to a second vendor that the user did not choose. */
function firstTarget(client: Client, model: string | undefined): Targets | { readonly failure: Failure } {
  const provider = firstInstalled(client);
  if (!("id" in provider)) return { failure: provider };
  return [{ provider: provider.id, ...(model !== undefined && { model }) }];
}

/** The screen of this process; it prints no more notes after stdout was closed. */
function quietScreen(cancellation: Cancellation): Screen {
  const screen = processScreen();
  return { ...screen, note: (text) => cancellation.readerLeft() || screen.note(text) };
}

function printPlan(client: Client, target: Target, request: RunRequest): number {
  const planned = client.plan(target, request);
  if ("failure" in planned) return refuse(planned.failure, "dry-run");
  processScreen().out(`${toJsonText(planned.plan, 2)}\n`);
  return EXIT.answered;
}

function refuse(failure: Failure, output: AskOutput): number {
  const screen = processScreen();
  const result: RunResult = { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure };
  if (output === "json") screen.out(`${toJsonText(result)}\n`);
  else screen.note(failureLines(failure, screen.noteColors));
  return EXIT.failed;
}

function toExitCode(failure: Failure | undefined, cancellation: Cancellation): number {
  if (failure === undefined) return EXIT.answered;
  if (failure.category === "cancelled") return cancellation.exitCode() ?? EXIT.interrupted;
  return EXIT.failed;
}
