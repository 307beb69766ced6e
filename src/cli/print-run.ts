import type { Failure } from "../spec/failure.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import type { AskOutput } from "./ask-options.ts";
import { AnswerView } from "./render/answer-view.ts";
import type { Chain } from "./render/policy-lines.ts";
import type { Screen } from "./render/screen.ts";
import { toJsonText } from "./render/terminal-text.ts";

/** Prints a run in the requested form; returns its failure. */
export async function printRun(
  output: Exclude<AskOutput, "dry-run">,
  stream: RunStream,
  screen: Screen,
  chain: Chain,
): Promise<Failure | undefined> {
  const printLine = (value: object): void => screen.out(`${toJsonText(value)}\n`);
  if (output === "json") {
    const result = await resultOf(stream);
    printLine(result);
    return result.failure;
  }
  const view = new AnswerView(screen, chain);
  let failure: Failure | undefined;
  for await (const event of stream) {
    if (output === "text") view.show(event);
    else printLine(event);
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
