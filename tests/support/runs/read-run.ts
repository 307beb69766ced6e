import { expect } from "vitest";
import type { JsonValue } from "../../../src/spec/json.ts";
import type { RunStream } from "../../../src/spec/stream.ts";
import type { RunEnd, RunEvent } from "../../../src/spec/wire/events.ts";

/** A finished run. */
export type FinishedRun = {
  readonly runId: string;
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  readonly stream: RunStream;
};

/** Reads a stream to its end and checks that it is well formed: one run-start first, one run-end last, numbered in order. */
export async function finishRun(stream: RunStream, onEvent?: (event: RunEvent, runId: string) => void): Promise<FinishedRun> {
  const events: RunEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events[0]?.type === "run-start") onEvent?.(event, events[0].runId);
  }
  const [first, last] = [events[0], events.at(-1)];
  if (first?.type !== "run-start" || last?.type !== "run-end") throw new Error(`malformed run: ${JSON.stringify(events)}`);
  expect(eventsOf(events, "run-start")).toHaveLength(1);
  expect(eventsOf(events, "run-end")).toHaveLength(1);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  return { runId: first.runId, events, end: last, stream };
}

/** The events of one type. */
export function eventsOf<Type extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

/** A run that is read in the background of a test. */
export type WatchedRun = {
  /** Resolves with the run's id as soon as the program has reported its session. */
  readonly begun: Promise<string>;
  readonly finished: Promise<FinishedRun>;
};

/** Reads a run in the background. */
export function watchRun(stream: RunStream): WatchedRun {
  const { promise: begun, resolve, reject } = Promise.withResolvers<string>();
  const finished = finishRun(stream, (event, runId) => {
    if (event.type === "session-start") resolve(runId);
  });
  finished.then((run) => reject(new Error(`the run ended too early: ${JSON.stringify(run.events)}`)), reject);
  return { begun, finished };
}

/** The structured values that a run showed as complete and valid. */
export function completeObjects(events: readonly RunEvent[]): readonly JsonValue[] {
  return eventsOf(events, "object-delta").flatMap(({ object, isPartial }) => (isPartial === true ? [] : [object]));
}
