import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { Collector } from "./collect.ts";
import { concludeFailure } from "./conclude.ts";
import { EventLog } from "./event-log.ts";
import { createRunStream } from "./run-stream.ts";

/** The failure of a run that nobody wants any more. */
export const CANCELLED: Failure = createFailure("interrupted", "The run was cancelled.");

/** A run that ends before anything was started. */
export function refusedRun(
  run: string,
  { metadata }: Pick<RunRequest, "metadata">,
  failure: Failure,
  { keepEvents = false }: RunContext,
): RunStream {
  const log = new EventLog(() => 0);
  log.stamp({ type: "run-start", runId: run, ...(metadata !== undefined && { metadata }) });
  concludeFailure(log, failure);
  const events = log.take();
  const collector = new Collector(keepEvents);
  for (const event of events) collector.add(event);
  const batches = [events];
  return createRunStream({
    next: () => batches.shift(),
    discard: () => {},
    cancel: () => {},
    done: Promise.resolve(collector.result()),
  });
}
