import type { Failure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import type { Cancellation } from "../cancellation.ts";
import type { ShowOptions } from "../options/ask-flags.ts";
import type { AskOptions, AskOutput } from "../options/ask-options.ts";
import { keyboardOf } from "../terminal/keyboard.ts";
import { pageWidth, printJson, processScreen, type Screen } from "../terminal/screen.ts";
import { toOneLine } from "../terminal/terminal-text.ts";
import { showsWaitingSign, WaitingSign } from "../terminal/waiting-sign.ts";
import type { AllowAdvice } from "./allow-advice.ts";
import { AnswerView } from "./answer-view.ts";
import { PermissionDesk } from "./permission-desk.ts";
import type { Chain } from "./policy-lines.ts";
import { summaryLine } from "./summary-line.ts";

export type PrintedRun = {
  readonly output: Exclude<AskOutput, "dry-run">;
  readonly stream: RunStream;
  readonly screen: Screen;
  readonly chain: Chain;
  readonly desk?: PermissionDesk;
  readonly explain: (failure: Failure) => Failure;
  readonly allowAdvice?: AllowAdvice;
  readonly denied: readonly string[];
  readonly hasSign: boolean;
  readonly hasSummary: boolean;
  /** True once the person has cancelled the run; of the events after that only the end is shown. */
  readonly isCancelled: () => boolean;
  readonly hasOutput: boolean;
};

export async function printRun(run: PrintedRun): Promise<Failure | undefined> {
  const { output, stream, screen, chain } = run;
  const asked = { provider: chain.targets[0]?.provider ?? "" };
  const words = (): string => toOneLine(asked.provider, 60);
  const sign = run.hasSign && output !== "stream-json" ? new WaitingSign(screen, words, pageWidth) : undefined;
  const shown = sign?.behind() ?? screen;
  try {
    if (output === "text") return await printText({ ...run, screen: shown }, sign, asked);
    const printLine = (value: object): void => printJson(shown, value);
    if (output === "json") {
      const result = explained(await resultOf(stream), run.explain);
      printLine(result);
      return result.failure;
    }
    return await printEvents(run, printLine);
  } finally {
    sign?.stop();
  }
}

async function printText(
  run: PrintedRun,
  sign: WaitingSign | undefined,
  asked: { provider: string },
): Promise<Failure | undefined> {
  const { stream, screen, chain, desk, denied, hasOutput, explain } = run;
  const startedAt = performance.now();
  const view = new AnswerView(screen, chain, {
    allowAdvice: (event) => run.allowAdvice?.(asked.provider, event),
    denied,
    hasOutput,
  });
  const over = new AbortController();
  void stream.outcome().then(() => over.abort());
  for await (const event of stream) {
    if (run.isCancelled() && event.type !== "run-end") continue;
    if (event.type === "attempt-start") asked.provider = event.provider;
    if (event.type === "permission-request" && desk !== undefined) {
      sign?.stop();
      view.pause();
      if (!(await desk.ask(event, over.signal)) && event.id !== undefined) view.wasRefused(event.id);
    } else view.show(explained(event, explain));
  }
  const result = await stream.outcome();
  if (result.failure === undefined && run.hasSummary) {
    const line = summaryLine(result, performance.now() - startedAt, pageWidth());
    screen.note(`${screen.noteColors.dim(line)}\n`);
  }
  return result.failure;
}

async function printEvents({ stream, explain }: PrintedRun, printLine: (event: object) => void): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  for await (const event of stream) {
    printLine(explained(event, explain));
    if (event.type === "run-end") failure = event.failure;
  }
  return failure;
}

async function resultOf(stream: RunStream): Promise<RunResult> {
  try {
    return await stream.result();
  } catch (error) {
    if (RunError.is(error)) return error.result;
    throw error;
  }
}

/** The event or result with its failure, if it has one, in the words of `explain`. */
export function explained<Part extends RunEvent | RunResult>(part: Part, explain: PrintedRun["explain"]): Part {
  return "failure" in part && part.failure !== undefined ? { ...part, failure: explain(part.failure) } : part;
}

/** What a person at this terminal sees and is asked. JSON is never rendered as Markdown. */
export function openDisplay(
  options: Pick<AskOptions, "verbose" | "denyTool"> & ShowOptions,
  { output, isAgent, span = "run" }: { readonly output: AskOutput; readonly isAgent: boolean; readonly span?: "run" | "chat" },
  screen: Screen,
): Pick<PrintedRun, "screen" | "desk" | "denied" | "hasSign" | "hasSummary" | "hasOutput"> {
  const { stdin, stdout, stderr } = process;
  const isQuiet = options.quiet === true;
  const canAsk = isAgent && output === "text" && stdin.isTTY && stderr.isTTY;
  return {
    screen,
    ...(canAsk && { desk: new PermissionDesk(screen, keyboardOf(stdin), span) }),
    denied: options.denyTool ?? [],
    hasSign: !isQuiet && !options.verbose && showsWaitingSign(stderr, process.env),
    hasSummary: !isQuiet && stdout.isTTY && stderr.isTTY,
    hasOutput: options.verbose === true,
  };
}

/** The screen of this process; it prints no more notes after stdout was closed. */
export function screenUntilLeft(cancellation: Cancellation, look: { readonly raw: boolean }): Screen {
  const screen = processScreen(look);
  return { ...screen, note: (text) => cancellation.readerLeft() || screen.note(text) };
}
