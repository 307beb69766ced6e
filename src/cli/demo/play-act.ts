import type { Client } from "../../client.ts";
import { collect } from "../../run/collect.ts";
import type { RunEvent } from "../../spec/events.ts";
import { findRunProcesses } from "../../testing/find-run-processes.ts";
import { toDuration } from "../render/terminal-text.ts";
import type { Act, Played, Verdict } from "./act.ts";

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
