import type { RunStream } from "../../../src/spec/stream.ts";
import type { Finished } from "../../support/clis/open-fleet.ts";
import { checkAttempts } from "../../support/runs/check-attempts.ts";
import { finishRun } from "../../support/runs/read-run.ts";

/** A run that is read in the background of a test. */
export type WaitingRun = {
  readonly stream: RunStream;
  /** The run's id, once its CLI has reported a session. */
  readonly begun: Promise<string>;
  /** The first queue position. */
  readonly waits: Promise<number>;
  /** Resolves at its first retry. */
  readonly retries: Promise<void>;
  /** The latest queue position so far. */
  position(): number | undefined;
  readonly finished: Promise<Finished>;
};

/** Reads a run in the background; a promise whose event never comes rejects at the end of the run. */
export function watchWaiting(stream: RunStream): WaitingRun {
  const [begun, waits, retries] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<number>(),
    Promise.withResolvers<void>(),
  ];
  let position: number | undefined;
  const finished = finishRun(stream, (event, runId) => {
    if (event.type === "session-start") begun.resolve(runId);
    if (event.type === "retry") retries.resolve();
    if (event.type !== "queue-wait") return;
    position = event.position;
    waits.resolve(event.position);
  }).then(async (run) => {
    checkAttempts(run.events);
    return { ...run, result: await stream.outcome() };
  });
  for (const { promise, reject } of [begun, waits, retries]) {
    promise.catch(() => {});
    finished.then(({ events }) => reject(new Error(`that never happened: ${JSON.stringify(events)}`)), reject);
  }
  return {
    stream,
    begun: begun.promise,
    waits: waits.promise,
    retries: retries.promise,
    position: () => position,
    finished,
  };
}
