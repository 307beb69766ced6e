import type { LogOptions, RunListener } from "../spec/run-listener.ts";
import { createRunLog, type LogHost } from "./log/run-log.ts";
import { callListener } from "./observe-run.ts";

export type ListenOptions = {
  /** Gets the events of each run, with its target, attempt and turn: docs/tracing.md. */
  readonly onRun?: RunListener;
  /** Writes a log of the runs, without secrets: docs/tracing.md. */
  readonly log?: LogOptions;
};

/** One listener for both options; undefined without them, so that a run then does nothing for it. Throws a TypeError for wrong options. */
export function createListener({ onRun, log }: ListenOptions, host: LogHost): RunListener | undefined {
  if (onRun !== undefined && typeof onRun !== "function") throw new TypeError("onRun must be a function.");
  const logged = log === undefined ? undefined : createRunLog(log, host);
  if (onRun === undefined || logged === undefined) return onRun ?? logged;
  return (batch) => {
    callListener(logged, batch);
    callListener(onRun, batch);
  };
}

const listeners = new WeakMap<object, RunListener>();

export function keepListener<Owner extends object>(listener: RunListener | undefined, client: Owner): Owner {
  if (listener !== undefined) listeners.set(client, listener);
  return client;
}

/** The listener of a client, for runs that are opened beside it, such as those of an agent. */
export function listenerOf(client: object): RunListener | undefined {
  return listeners.get(client);
}
