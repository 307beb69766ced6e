import type { Failure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import type { AskOutput } from "../options/ask-options.ts";
import { pageWidth, type Screen } from "../terminal/screen.ts";
import { toJsonText, toOneLine } from "../terminal/terminal-text.ts";
import { WaitingSign } from "../terminal/waiting-sign.ts";
import type { Advise } from "./allow-advice.ts";
import { AnswerView } from "./answer-view.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import type { Chain } from "./policy-lines.ts";
import { summaryLine } from "./summary-line.ts";

export type PrintedRun = {
  readonly output: Exclude<AskOutput, "dry-run">;
  readonly stream: RunStream;
  readonly screen: Screen;
  readonly chain: Chain;
  /** Asks a person whether a tool may run; absent without a terminal. */
  readonly desk?: PermissionDesk;
  /** Makes the words of a failure fit this command line. */
  readonly explain: (failure: Failure) => Failure;
  /** Names the option that would allow a denied call. */
  readonly advise?: Advise;
  /** The patterns of `--deny-tool`. */
  readonly denied: readonly string[];
  /** Whether a waiting sign is shown until the answer begins. */
  readonly hasSign: boolean;
  /** Whether a line about the answer follows it. */
  readonly hasSummary: boolean;
  /** True once the person has cancelled the run; of the events after that only the end is shown. */
  readonly isCancelled: () => boolean;
  /** Whether the output of tools is shown. */
  readonly hasOutput: boolean;
};

/** Returns the failure of the run. */
export async function printRun(run: PrintedRun): Promise<Failure | undefined> {
  const { output, stream, screen, chain } = run;
  const asked = { provider: chain.targets[0]?.provider ?? "" };
  const words = (): string => toOneLine(asked.provider, 60);
  const sign = run.hasSign && output !== "stream-json" ? new WaitingSign(screen, words, pageWidth) : undefined;
  const shown = sign?.behind() ?? screen;
  try {
    if (output === "text") return await printText({ ...run, screen: shown }, sign, asked);
    const printLine = (value: object): void => shown.out(`${toJsonText(value)}\n`);
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
  const view = new AnswerView(screen, chain, { advise: (event) => run.advise?.(asked.provider, event), denied, hasOutput });
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
