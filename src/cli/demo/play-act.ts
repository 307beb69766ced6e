import type { Client } from "../../client.ts";
import { collect } from "../../run/collect.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import { findRunProcesses } from "../../testing/find-run-processes.ts";
import { toDuration } from "../terminal/terminal-text.ts";

/** One step of the demo: a run, its expected result, and the command that does the same. */
export type Act = {
  readonly title: string;
  /** The arguments of `cox`. */
  readonly command: readonly string[];
  /** A file that the command names, and its content. */
  readonly file?: { readonly name: string; readonly content: string };
  readonly targets: readonly Target[];
  readonly request: RunRequest;
  /** Cancels the run after this many pieces of text. */
  readonly cancelAfterPieces?: number;
  readonly judge: (played: Played) => Verdict;
};

export type Played = {
  readonly runId: string;
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  /** The number of text pieces. */
  readonly pieces: number;
  readonly tookMs: number;
};

/** Whether the act had the expected result, and one line about it. */
export type Verdict = { readonly isRight: boolean; readonly line: string };

/** Plays one act with a real process and passes every event to the callback. */
export async function playAct(
  client: Client,
  act: Act,
  signal: AbortSignal,
  onEvent: (event: RunEvent) => void,
): Promise<Played> {
  const startedAt = performance.now();
  const events: RunEvent[] = [];
  let pieces = 0;
  const stream = client.run(act.targets, act.request, { signal });
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
    if (event.type === "text-delta") pieces += 1;
    if (pieces === act.cancelAfterPieces) stream.interrupt();
  }
  const runId = events.find((event) => event.type === "run-start")?.runId ?? "";
  return { runId, result: collect(events), events, pieces, tookMs: performance.now() - startedAt };
}

/** Searches the process table for processes that belong to one of these runs. */
export function lookForLeftovers(runIds: readonly string[], waitedMs: number): Verdict {
  const waited = `gone ${toDuration(waitedMs)} later`;
  if (process.platform === "win32") return { isRight: true, line: `${waited}; leftover processes cannot be searched on Windows` };
  const left = runIds.flatMap(findRunProcesses);
  if (left.length > 0) return { isRight: false, line: `still running: ${left.join(", ")}` };
  return { isRight: true, line: `${waited}; no process of these ${runIds.length} runs is left` };
}
