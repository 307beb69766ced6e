import type { RunSecrets } from "../failures/secrets.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { RunBatch, RunListener } from "../spec/run-listener.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { RunWriter } from "./run-writer.ts";

export type ObservedRun = Pick<RunBatch, "runId" | "kind" | "request">;

const secretsOfBatches = new WeakMap<RunBatch, readonly RunSecrets[]>();

/** The secrets that the processes of the run know. A batch does not show them to its listener. */
export function secretsBehind(batch: RunBatch): readonly string[] {
  return (secretsOfBatches.get(batch) ?? []).flatMap((known) => known());
}

/** Passes the batches of a run to the listener of its client, divided where an attempt begins. */
export function observeRun(listener: RunListener, run: ObservedRun): (batch: readonly RunEvent[], writer: RunWriter) => void {
  let at: Pick<RunBatch, "provider" | "model" | "attempt"> = { attempt: 0 };
  const tell = (events: readonly RunEvent[], { session, secrets }: RunWriter): void => {
    const last = events.at(-1);
    if (last === undefined) return;
    const end = last.type === "run-end" ? last : undefined;
    const batch: RunBatch = defined({ ...run, session, ...at, events, end });
    secretsOfBatches.set(batch, secrets);
    callListener(listener, batch);
  };
  return (batch, writer) => {
    let from = 0;
    for (const [index, event] of batch.entries()) {
      if (event.type !== "attempt-start" && event.type !== "run-start") continue;
      tell(batch.slice(from, index), writer);
      from = index;
      const { provider, model } = event;
      at = defined({ provider, model, attempt: event.type === "attempt-start" ? event.attempt : 0 });
    }
    tell(from === 0 ? batch : batch.slice(from), writer);
  };
}

/** The listeners whose first error was reported. */
const reported = new WeakSet<object>();

/** Calls a listener; its first error or rejection is a warning of this process. */
export function callListener<Told>(listener: (told: Told) => unknown, told: Told): void {
  const report = (error: unknown): void => {
    if (reported.has(listener)) return;
    reported.add(listener);
    process.emitWarning(`A listener of runs failed, the runs go on: ${thrownMessage(error)}`, { type: "CoxswainWarning" });
  };
  try {
    const returned = listener(told);
    // Promises of another realm or library are no instances of Promise.
    if (typeof returned === "object" && returned !== null && "then" in returned) Promise.resolve(returned).catch(report);
  } catch (error) {
    report(error);
  }
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
