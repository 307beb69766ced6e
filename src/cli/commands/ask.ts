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
import { firstInstalled } from "../find-provider.ts";
import { addConfigOptions, openClient } from "../open-client.ts";
import { printRun } from "../print-run.ts";
import { readPrompt } from "../read-prompt.ts";
import { readProviderOption, type Targets } from "../read-provider-option.ts";
import { failureLines } from "../render/failure-lines.ts";
import { helpAfter } from "../render/help.ts";
import { processScreen, type Screen } from "../render/screen.ts";

/** Adds `cox ask`: one question, one answer. */
export function addAskCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("ask")
    .summary("ask one question and stream the answer")
    .description(
      "Ask one question. On a terminal the answer appears as it comes; a file or a pipe gets it when it can no longer change (--stream-json shows everything live). Tool calls, warnings and errors go to stderr.",
    )
    .argument("[prompt...]", "the prompt; without it, or besides it, what is piped to stdin")
    .option(
      "--provider <ids>",
      "which CLI answers; or several, with commas, as id or id/model: each is asked when those before it cannot answer (default: the first that is installed, alone)",
    )
    .option("--model <name>", "which of its models; of several CLIs, that of the first (default: the CLI's own choice)")
    .option("--system <text>", "system prompt (default: none)")
    .option("--schema <file>", "JSON Schema file; the answer is JSON that matches it")
    .option(
      "--timeout <seconds>",
      "give up after this long, all attempts together (default: 600 s for each attempt, with --agent no limit)",
      readSeconds,
    );
  addConfigOptions(command);
  addPolicyOptions(command)
    .optionsGroup("Working in a directory:")
    .option("--agent", "let the CLI work with its own tools (default: it is a pure model without tools)")
    .option("--cwd <dir>", "where it works (default: the current directory)")
    .option("--add-dir <dir>", "another directory it may use; repeatable", addValue)
    .option("--allow-tool <pattern>", 'a tool that may run without asking, such as "Bash(git status)"; repeatable', addValue)
    .addOption(
      new Option("--permission-mode <mode>", "how far it may go without asking (default: default)").choices(PERMISSION_MODES),
    )
    .option("--no-background", "keep it from working in the background (default: the run ends when that work does)")
    .optionsGroup("Output (one of):")
    .option("--json", "one JSON object with the whole result, and nothing else")
    .option("--stream-json", "every event as it happens, one JSON object per line")
    .option("--dry-run", "only print what would be started, as JSON")
    .addHelpText("after", helpAfter(EXAMPLES))
    .action(async (words: string[], options: AskOptions) => exit(await ask(words, options)));
}

function addPolicyOptions(command: Command): Command {
  return command
    .optionsGroup("When it fails or takes too much:")
    .option("--retries <n>", "how often a CLI is asked again after a failure that may pass, 0 to 10", readRetries, 2)
    .option("--no-fallback", "ask only the first of several CLIs")
    .option(
      "--max-wait <seconds>",
      "how long to wait for one CLI between attempts, all waits together (default: 60)",
      readWaitSeconds,
    )
    .option("--budget-usd <amount>", "stop when all attempts together have cost this much (default: no limit)", readUsd);
}

const EXAMPLES = [
  'cox ask "What does a coxswain do?"',
  'git diff | cox ask "Write a commit message for this diff"',
  'cox ask --provider claude --model haiku --json "Three names for a boat"',
  'cox ask --provider claude/opus,codex --budget-usd 0.50 "Review this" < diff.txt',
  'cox ask --agent --permission-mode plan "How is this project built?"',
  'cox ask --provider rehearsal --model tool "What time is it?"   # no account needed',
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
    return toExitCode(await printRun(output, stream, { screen: quietScreen(cancellation), chain }), cancellation);
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

/** Nobody was named, so nobody else is asked: a prompt never goes to a vendor that no one chose. */
function firstTarget(client: Client, model: string | undefined): Targets | { readonly failure: Failure } {
  const provider = firstInstalled(client);
  if (!("id" in provider)) return { failure: provider };
  return [{ provider: provider.id, ...(model !== undefined && { model }) }];
}

/** The screen of this process, on which nothing more is noted once the reader has left. */
function quietScreen(cancellation: Cancellation): Screen {
  const screen = processScreen();
  return { ...screen, note: (text) => cancellation.readerLeft() || screen.note(text) };
}

function printPlan(client: Client, target: Target, request: RunRequest): number {
  const planned = client.plan(target, request);
  if ("failure" in planned) return refuse(planned.failure, "dry-run");
  processScreen().out(`${JSON.stringify(planned.plan, null, 2)}\n`);
  return EXIT.answered;
}

function refuse(failure: Failure, output: AskOutput): number {
  const screen = processScreen();
  const result: RunResult = { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure };
  if (output === "json") screen.out(`${JSON.stringify(result)}\n`);
  else screen.note(failureLines(failure, screen.noteColors));
  return EXIT.failed;
}

function toExitCode(failure: Failure | undefined, cancellation: Cancellation): number {
  if (failure === undefined) return EXIT.answered;
  if (failure.category === "cancelled") return cancellation.exitCode() ?? EXIT.interrupted;
  return EXIT.failed;
}
