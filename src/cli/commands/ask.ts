import { type Command, Option } from "commander";
import type { Client } from "../../client.ts";
import type { Failure } from "../../spec/failure.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";
import { RunError } from "../../spec/run-error.ts";
import type { RunStream } from "../../spec/stream.ts";
import {
  type AskOptions,
  type AskOutput,
  addValue,
  checkAgentOptions,
  chosenOutput,
  PERMISSION_MODES,
  readSeconds,
  toRequest,
} from "../ask-options.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { findProvider, firstInstalled } from "../find-provider.ts";
import { addConfigOptions, openClient } from "../open-client.ts";
import { readPrompt } from "../read-prompt.ts";
import { AnswerView } from "../render/answer-view.ts";
import { failureLines } from "../render/failure-lines.ts";
import { helpAfter } from "../render/help.ts";
import { processScreen, type Screen } from "../render/screen.ts";

/** Adds `cox ask`: one question, one answer. */
export function addAskCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("ask")
    .summary("ask one question and stream the answer")
    .description("Ask one question. The answer streams to stdout as it comes; tool calls, warnings and errors go to stderr.")
    .argument("[prompt...]", "the prompt; without it, or besides it, what is piped to stdin")
    .option("--provider <id>", "which CLI answers (default: the first that is installed)")
    .option("--model <name>", "which of its models (default: the CLI's own choice)")
    .option("--system <text>", "system prompt (default: none)")
    .option("--schema <file>", "JSON Schema file; the answer is JSON that matches it")
    .option("--timeout <seconds>", "give up after this long (default: 600, with --agent no limit)", readSeconds);
  addConfigOptions(command)
    .optionsGroup("Working in a directory:")
    .option("--agent", "let the CLI work with its own tools (default: it is a pure model without tools)")
    .option("--cwd <dir>", "where it works (default: the current directory)")
    .option("--add-dir <dir>", "another directory it may use; repeatable", addValue)
    .option("--allow-tool <pattern>", 'a tool that may run without asking, such as "Bash(git status)"; repeatable', addValue)
    .addOption(
      new Option("--permission-mode <mode>", "how far it may go without asking (default: default)").choices(PERMISSION_MODES),
    )
    .optionsGroup("Output (one of):")
    .option("--json", "one JSON object with the whole result, and nothing else")
    .option("--stream-json", "every event as it happens, one JSON object per line")
    .option("--dry-run", "only print what would be started, as JSON")
    .addHelpText("after", helpAfter(EXAMPLES))
    .action(async (words: string[], options: AskOptions) => exit(await ask(words, options)));
}

const EXAMPLES = [
  'cox ask "What does a coxswain do?"',
  'git diff | cox ask "Write a commit message for this diff"',
  'cox ask --provider claude --model haiku --json "Three names for a boat"',
  'cox ask --agent --permission-mode plan "How is this project built?"',
  'cox ask --provider rehearsal --model tool "What time is it?"   # no account needed',
];

async function ask(words: readonly string[], options: AskOptions): Promise<number> {
  const output = chosenOutput(options);
  checkAgentOptions(options);
  const rest = toRequest(options);
  const client = openClient(options.config);
  const cancellation = listenForCancellation();
  try {
    const named = options.provider === undefined ? undefined : findProvider(client.providers, options.provider);
    const prompt = await readPrompt(words, cancellation.signal);
    if (prompt === undefined) return cancellation.exitCode() ?? EXIT.interrupted;
    const provider = named ?? firstInstalled(client);
    if (!("id" in provider)) return refuse(provider, output);
    const target = { provider: provider.id, ...(options.model !== undefined && { model: options.model }) };
    const request = { prompt, ...rest };
    if (output === "dry-run") return printPlan(client, target, request);
    const stream = client.run(target, request, { signal: cancellation.signal });
    return toExitCode(await PRINTERS[output](stream, quietScreen(cancellation)), cancellation);
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

const PRINTERS: Readonly<
  Record<Exclude<AskOutput, "dry-run">, (stream: RunStream, screen: Screen) => Promise<Failure | undefined>>
> = {
  text: async (stream, screen) => {
    const view = new AnswerView(screen);
    let failure: Failure | undefined;
    for await (const event of stream) {
      view.show(event);
      if (event.type === "run-end") failure = event.failure;
    }
    return failure;
  },
  json: async (stream, screen) => {
    const result = await resultOf(stream);
    screen.out(`${JSON.stringify(result)}\n`);
    return result.failure;
  },
  "stream-json": async (stream, screen) => {
    let failure: Failure | undefined;
    for await (const event of stream) {
      screen.out(`${JSON.stringify(event)}\n`);
      if (event.type === "run-end") failure = event.failure;
    }
    return failure;
  },
};

/** The screen of this process, on which nothing more is noted once the reader has left. */
function quietScreen(cancellation: Cancellation): Screen {
  const screen = processScreen();
  return { ...screen, note: (text) => cancellation.readerLeft() || screen.note(text) };
}

async function resultOf(stream: RunStream): Promise<RunResult> {
  try {
    return await stream.result();
  } catch (error) {
    if (RunError.is(error)) return error.result;
    throw error;
  }
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
