import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { findProvider, type Names } from "../../request/targets.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import { defined } from "../../spec/json.ts";
import type { RunRequest, Target, Targets } from "../../spec/request.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT, RUN_EXIT_WORDS } from "../exit-codes.ts";
import { installedTarget, readTargets } from "../find-provider.ts";
import { readPrompt, timeoutsAfter, toPromptParts } from "../input/read-prompt.ts";
import { type LocalClient, localClient, readSoundFiles } from "../open-client.ts";
import { addAskOptions, addShowOptions, type ShowOptions } from "../options/ask-flags.ts";
import { type AskOptions, type AskOutput, checkAgentOptions, chosenOutput, toRequest } from "../options/ask-options.ts";
import { readSettings, type Settings, withSourceOfSystem } from "../settings.ts";
import { allowAdviceOf } from "../show/allow-advice.ts";
import { type AboutRun, exitCodeAfter, leave, refuse } from "../show/print-refusal.ts";
import { openDisplay, type PrintedRun, printRun, screenUntilLeft } from "../show/print-run.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { printJson, processScreen } from "../terminal/screen.ts";
import { type AskedSession, findAskedSession, isAgent, startAsked, targetsOf, trustOf } from "./ask-session.ts";
import { VerboseNotes } from "./verbose-notes.ts";

export function addAskCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("ask")
    .summary("ask one question and stream the answer")
    .description(
      "Send one prompt and print the answer. A terminal shows the text while it streams. A file or a pipe gets the text once it is final (--stream-json prints all events live). Tool calls, warnings and errors go to stderr.",
    )
    .argument(
      "[prompt...]",
      "the prompt; text from stdin is added to it, or is the prompt if there is no argument; a prompt that begins with a dash goes after --",
    );
  addAskOptions(command);
  addShowOptions(command.optionsGroup("On a terminal:"))
    .addHelpText("after", helpAfter(EXAMPLES, RUN_EXIT_WORDS))
    .action(async (words: string[], options: AskOptions & ShowOptions) => exit(await ask(words, options)));
}

const EXAMPLES = [
  'cox ask "What does a coxswain do?"',
  'git diff | cox ask "Write a commit message for this diff"',
  'cox ask -p claude -m haiku --json "Three names for a boat"',
  'cox ask --file src/main.ts --image error.png "What is wrong here?"',
  'cox ask --provider claude/opus,codex --budget-usd 0.50 "Review this" < diff.txt',
  'cox ask --agent --permission-mode plan "How is this project built?"',
  'cox ask --session review "Now the tests"',
  'cox ask --provider rehearsal --model tool --agent "What time is it?"   # no account needed',
];

const BEGUN = "· This directory has no session yet; this begins one.\n";

async function ask(words: readonly string[], options: AskOptions & ShowOptions): Promise<number> {
  const output = chosenOutput(options);
  checkAgentOptions(options);
  const files = readSoundFiles(options.config);
  const settings = readSettings(options, process.env, files);
  const rest = await toRequest(options, settings.system?.value || undefined);
  const parts = toPromptParts(words, options);
  const local = localClient(files, { retry: { retries: options.retries } }, options);
  const { names } = local;
  const cancellation = listenForCancellation();
  try {
    const named = readTargets(names, settings, options.fallback);
    const asked = await findAskedSession(local, options);
    const read = await readPrompt({ ...parts, signal: cancellation.signal });
    if (read === undefined) return leave(cancellation);
    if (asked !== undefined && "code" in asked) return refuse(asked, output, {});
    const targets = targetsOf(asked, options, named) ?? installedTarget(names.providers, settings);
    if ("failure" in read) return refuse(read.failure, output, "failure" in targets ? {} : aboutTarget(names, targets[0]));
    if ("failure" in targets) return refuse(targets.failure, output, {});
    const request = { prompt: read.prompt, ...rest, ...timeoutsAfter(parts, read) };
    if (output === "dry-run")
      return printPlan(await local.open(), targets[0], request, (failure) => withSourceOfSystem(failure, settings));
    return await answer(local, { targets, request, asked }, { output, options, settings, files, cancellation });
  } finally {
    await local.close();
    cancellation.dispose();
  }
}

type Question = { readonly targets: Targets; readonly request: RunRequest; readonly asked: AskedSession | undefined };
type Surroundings = {
  readonly output: Exclude<AskOutput, "dry-run">;
  readonly options: AskOptions & ShowOptions;
  readonly settings: Settings;
  readonly files: ReturnType<typeof readSoundFiles>;
  readonly cancellation: Cancellation;
};

async function answer(local: LocalClient, { targets, asked, ...question }: Question, around: Surroundings): Promise<number> {
  const { output, options, settings, files, cancellation } = around;
  const { names } = local;
  const { providers } = names;
  const { signal } = cancellation;
  const shown = openDisplay(
    options,
    { output, isAgent: isAgent(asked, options) },
    screenUntilLeft(cancellation, { raw: options.raw === true || options.schema !== undefined }),
  );
  const person = shown.desk && { screen: shown.screen, signal };
  const trust = await trustOf({ providers, targets, asked, request: question.request }, options, person);
  if (signal.aborted) return leave(cancellation);
  const request = { ...question.request, ...trust };
  // Verbose notes read the events, but --json still gets an answer that may begin again.
  const commit = output === "json" ? ("end" as const) : undefined;
  const context = { signal, ...defined({ commit, onPermission: shown.desk?.onPermission }) };
  const notes = options.verbose ? new VerboseNotes(await local.open(), request, context, shown.screen) : undefined;
  notes?.opening(files, settings);
  if (options.continue && asked?.record === undefined && output === "text") shown.screen.note(BEGUN);
  const chosen = { targets, request, flags: options };
  const stream = await startAsked(local, asked, chosen, { ...context, onWay: (words) => notes?.way(words) });
  if ("failure" in stream) return refuse(stream.failure, output, aboutTarget(names, targets[0]));
  const explain = (failure: Failure): Failure => withSourceOfSystem(failure, settings);
  const printed = { output, stream: notes?.watch(stream) ?? stream, explain, allowAdvice: allowAdviceOf(providers), ...shown };
  const isCancelled = (): boolean => signal.aborted;
  const failure = await printRun({ ...printed, isCancelled, chain: { targets, attempts: options.retries + 1 } });
  return exitCodeAfter(failure, cancellation);
}

function printPlan(client: Client, target: Target, request: RunRequest, explain: PrintedRun["explain"]): number {
  const planned = client.plan(target, request);
  if ("failure" in planned) return refuse(explain(planned.failure), "dry-run", {});
  printJson(processScreen(), planned.plan, 2);
  return EXIT.answered;
}

function aboutTarget(names: Names, { provider, model }: Target): AboutRun {
  return defined({ provider, model: model ?? findProvider(names, provider)?.defaultModel });
}
