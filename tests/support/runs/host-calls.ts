import { expect } from "vitest";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { eventsOf, type FinishedRun } from "./read-run.ts";

/** The shown text of each message, in order of appearance, without messages that were reset. */
export function shownMessages(events: readonly RunEvent[]): readonly string[] {
  const shown = new Map<string, string>();
  for (const event of events) {
    if (event.type === "text-delta") shown.set(event.messageId, (shown.get(event.messageId) ?? "") + event.text);
    if (event.type === "text-reset") shown.delete(event.messageId);
  }
  return [...shown.values()];
}

/** The correction in a prompt: the last block in front of the conversation; throws when there is none. */
export function correctionIn(prompt: string): string {
  const front = prompt.slice(0, prompt.lastIndexOf("\n\n<thread>\n"));
  const start = front.lastIndexOf("\n\n[Correction]\n");
  expect(start, `no correction in front of the conversation: ${prompt}`).toBeGreaterThan(-1);
  return front.slice(start + 2);
}

/** Expects that the run ended with tool-calls, with the same calls in its events and its result. */
export async function expectCalls(run: FinishedRun): Promise<RunResult> {
  const result = await run.stream.result();
  expect(run.end).toMatchObject({ finish: "tool-calls" });
  expect(run.end.failure).toBeUndefined();
  expect(result.finish).toBe("tool-calls");
  const calls = eventsOf(run.events, "tool-call");
  expect(calls.map(({ id, name, input, executor }) => ({ id, name, args: input, executor }))).toEqual(
    (result.hostCalls ?? []).map((call) => ({ ...call, executor: "host" })),
  );
  expect(eventsOf(run.events, "tool-start")).toEqual([]);
  expect(eventsOf(run.events, "tool-end")).toEqual([]);
  expect(result.toolCalls).toEqual([]);
  return result;
}
