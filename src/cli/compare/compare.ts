import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { type ComparedResult, compareTargets } from "../../compare/compare-targets.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { RunRequest, Targets } from "../../spec/request.ts";
import { targetName } from "../../spec/request.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT, exitCodeOf, RUN_EXIT_WORDS } from "../exit-codes.ts";
import { namesOf, readTargets } from "../find-provider.ts";
import { readPrompt, timeoutsAfter, toPromptParts } from "../input/read-prompt.ts";
import { clientWith, type LogFlags, readSoundFiles } from "../open-client.ts";
import { addCompareOptions, addShowOptions, type ShowOptions } from "../options/ask-flags.ts";
import { type AskOptions, type AskOutput, chosenOutput, toRequest } from "../options/ask-options.ts";
import { readSettings, type Settings, withSourceOfSystem } from "../settings.ts";
import { leave, refuse } from "../show/print-refusal.ts";
import { explained, openDisplay, screenUntilLeft } from "../show/print-run.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { pageWidth, printJson } from "../terminal/screen.ts";
import { WaitingSign } from "../terminal/waiting-sign.ts";
import { UsageError } from "../usage-error.ts";
import { compareTable, progressWords, showCompared } from "./compare-view.ts";

type CompareOptions = ShowOptions &
  LogFlags &
  Pick<AskOptions, "provider" | "system" | "appendSystem" | "file" | "image" | "schema" | "effort" | "timeout"> &
  Pick<AskOptions, "retries" | "budgetUsd" | "config" | "json" | "streamJson">;

export function addCompareCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("compare")
    .summary("ask several CLIs the same question")
    .description(
      "Send one prompt to several CLIs at the same time. Prints each answer under the name of its CLI, then a table with times, tokens and cost. A CLI that fails does not stop the others, and no CLI stands in for another. The exit code is 0 if at least one has answered.",
    )
    .argument("[prompt...]", "the prompt; text from stdin is added to it, or is the prompt if there is no argument");
  addCompareOptions(command);
  addShowOptions(command.optionsGroup("On a terminal:"))
    .addHelpText("after", helpAfter(EXAMPLES, RUN_EXIT_WORDS))
    .action(async (words: string[], options: CompareOptions) => exit(await compare(words, options)));
}

const EXAMPLES = [
  'cox compare -p claude,codex,gemini "What does a coxswain do?"',
  'cox compare -p claude/opus,claude/haiku --json "Three names for a boat"',
  'git diff | cox compare -p claude,codex "Review this diff"',
  'cox compare -p rehearsal,rehearsal/slow,rehearsal/crash "Try it"   # no account needed',
];

async function compare(words: readonly string[], options: CompareOptions): Promise<number> {
  const output = chosenOutput(options);
  const files = readSoundFiles(options.config);
  const settings = readSettings(options, process.env, files);
  const rest = await toRequest(options, settings.system?.value || undefined);
  const parts = toPromptParts(words, options);
  const client = await clientWith(files, { retry: { retries: options.retries } }, options);
  const cancellation = listenForCancellation();
  try {
    const targets = chooseTargets(client, settings);
    const read = await readPrompt({ ...parts, signal: cancellation.signal });
    if (read === undefined) return leave(cancellation);
    if ("failure" in read) return refuse(read.failure, output, {});
    const request = { prompt: read.prompt, ...rest, ...timeoutsAfter(parts, read) };
    const results = await printCompared({ client, targets, request }, { output, options, settings, cancellation });
    return cancellation.exitCode() ?? exitCodeOfAll(results);
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

/** Two targets at least, and none of them twice: the results are told apart by their targets. */
function chooseTargets(client: Client, settings: Settings): Targets {
  const targets = readTargets(namesOf(client), settings, true);
  if (targets === undefined || targets.length < 2)
    throw new UsageError("cox compare needs at least two CLIs.", "Name them with --provider claude,codex");
  const names = targets.map(targetName);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new UsageError(`${twice} is named twice.`, "Name each CLI once, or give each a model: claude/opus");
  return targets;
}

type Comparison = { readonly client: Client; readonly targets: Targets; readonly request: RunRequest };
type Surroundings = {
  readonly output: AskOutput;
  readonly options: CompareOptions;
  readonly settings: Settings;
  readonly cancellation: Cancellation;
};

async function printCompared(asked: Comparison, around: Surroundings): Promise<readonly ComparedResult[]> {
  const { output, options, settings, cancellation } = around;
  const look = { raw: options.raw === true || options.schema !== undefined };
  const { screen, hasSign } = openDisplay(options, { output, isAgent: false }, screenUntilLeft(cancellation, look));
  const printLine = (value: object): void => printJson(screen, value);
  const done = new Map<string, ComparedResult>();
  const words = (): string => progressWords(asked.targets.map(targetName), done);
  const sign = hasSign && output !== "stream-json" ? new WaitingSign(screen, words, pageWidth) : undefined;
  const explain = (failure: Failure): Failure => withSourceOfSystem(failure, settings);
  try {
    const ended = await compareTargets(asked.client, asked.targets, asked.request, {
      signal: cancellation.signal,
      onResult: (result) => void done.set(result.target, result),
      ...(output === "stream-json"
        ? { onEvent: (event, target) => printLine({ target, ...explained(event, explain) }) }
        : { commit: "end" as const }),
    });
    sign?.stop();
    const results = ended.map((result) => explained(result, explain));
    if (output === "json") printLine({ results });
    if (output === "text") {
      for (const result of results) showCompared(screen, result);
      screen.out(compareTable(results, screen));
    }
    return results;
  } finally {
    sign?.stop();
  }
}

/** Success if one has answered; otherwise the exit code of the failures, if they agree on it. */
function exitCodeOfAll(results: readonly ComparedResult[]): number {
  const codes = results.map(({ failure }) => (failure === undefined ? EXIT.answered : exitCodeOf(failure)));
  const [first = EXIT.failed] = codes;
  if (codes.includes(EXIT.answered)) return EXIT.answered;
  return codes.every((code) => code === first) ? first : EXIT.failed;
}
