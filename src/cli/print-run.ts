import type { Failure } from "../spec/failure.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import type { AskOutput } from "./ask-options.ts";
import { AnswerView } from "./render/answer-view.ts";
import type { Chain } from "./render/policy-lines.ts";
import type { Screen } from "./render/screen.ts";

/** The forms in which a run is printed. */
export type RunOutput = Exclude<AskOutput, "dry-run">;

/** Where a run is printed, and its targets. */
export type PrintPlace = { readonly screen: Screen; readonly chain: Chain };

type Printer = (stream: RunStream, place: PrintPlace) => Promise<Failure | undefined>;

/** Prints a run in the requested form; returns its failure. */
export async function printRun(output: RunOutput, stream: RunStream, place: PrintPlace): Promise<Failure | undefined> {
  return await PRINTERS[output](stream, place);
}

const PRINTERS: Readonly<Record<RunOutput, Printer>> = {
  text: async (stream, { screen, chain }) => {
    const view = new AnswerView(screen, chain);
    let failure: Failure | undefined;
    for await (const event of stream) {
      view.show(event);
      if (event.type === "run-end") failure = event.failure;
    }
    return failure;
  },
  json: async (stream, { screen }) => {
    const result = await resultOf(stream);
    screen.out(`${JSON.stringify(result)}\n`);
    return result.failure;
  },
  "stream-json": async (stream, { screen }) => {
    let failure: Failure | undefined;
    for await (const event of stream) {
      screen.out(`${JSON.stringify(event)}\n`);
      if (event.type === "run-end") failure = event.failure;
    }
    return failure;
  },
};

async function resultOf(stream: RunStream): Promise<RunResult> {
  try {
    return await stream.result();
  } catch (error) {
    if (RunError.is(error)) return error.result;
    throw error;
  }
}
