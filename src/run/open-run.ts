import { withWait } from "../failures/times/read-times.ts";
import type { KnownVersions } from "../launch/known-versions.ts";
import type { Guardian } from "../process/guardian/guardian.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import { defined, type JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunKind, RunListener } from "../spec/run-listener.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { Keeper } from "../warm/keeper.ts";
import { BatchQueue, type Spill } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import type { KnownTotals } from "./known-totals.ts";
import { observeRun } from "./observe-run.ts";
import { CANCELLED, CLOSED, CLOSED_DURING_RUN, cancelledEnd, failedEnd, type PartContext, TotalTime } from "./part.ts";
import { createRunStream } from "./run-stream.ts";
import { RunWriter } from "./run-writer.ts";

export type ActiveProcess = {
  /** Ends the process and all processes that it started. */
  end(): void;
  readonly gone: Promise<void>;
};

export type RunHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guardian: Guardian | undefined;
  readonly limits: { readonly lineBytes: number; readonly spillBytes: number };
  /** The spill files with events that no consumer has read yet. */
  readonly spills: Set<Spill>;
  readonly providers: readonly Provider[];
  readonly versions: KnownVersions;
  /** Aborts when the client is closed; after that no run is started. */
  readonly closing: AbortSignal;
  /** Adds the version of the program to the failure of a rejected flag; starts the program to get it. */
  readonly explainUnknownOption: (failure: Failure, provider: Provider) => Promise<Failure>;
  /** Undefined if no processes and turns are kept for later runs. */
  readonly keeper: Keeper | undefined;
  readonly onRun?: RunListener | undefined;
  readonly totals: KnownTotals;
  readonly nextRunId: () => string;
  readonly track: (process: ActiveProcess) => void;
};

/** Ends all processes and keeps this process alive until they have ended; each one has a time limit. */
export async function closeHost({ keeper, spills }: RunHost, active: ReadonlySet<ActiveProcess>): Promise<void> {
  keeper?.close();
  const keepAlive = setInterval(() => {}, 1000);
  for (const process of active) process.end();
  while (active.size > 0) await Promise.all([...active].map((process) => process.gone));
  clearInterval(keepAlive);
  for (const spill of spills) spill.close();
}

/** `output` validates the structured answer. `kind` says who started the run; `run` by default. */
type OpenContext = RunContext & Pick<PartContext, "output"> & { readonly kind?: RunKind };

type OpenHost = Pick<RunHost, "limits" | "spills" | "closing" | "nextRunId" | "onRun">;

/**
 * Opens a run with one writer, one queue and one collector. `begin` is called at once, writes all events between `run-start` and
 * `run-end`, and returns the end of the run. `run-start` names the first target. An agent has no request.
 */
export function openRun(
  host: OpenHost,
  request: RunRequest | undefined,
  context: OpenContext,
  begin: (context: PartContext) => Promise<RunEnd>,
  first?: { readonly provider: string; readonly model?: string | undefined },
): RunStream {
  const { cancel, signal, stopListening, isByClosing } = listenForCancel(context.signal, host.closing);
  const queue = new BatchQueue(host.limits.spillBytes, host.spills, cancel);
  const collector = new Collector(context.keepEvents === true);
  const runId = host.nextRunId();
  const { kind = "run", onPermission, callTool, fullQueue, keepsProcess, gate } = context;
  const observe = host.onRun && observeRun(host.onRun, defined({ runId, kind, request }));
  const writer = new RunWriter(
    runId,
    () => performance.now(),
    (batch, weight) => {
      for (const event of batch) collector.add(event);
      queue.push(batch, weight);
      observe?.(batch, writer);
    },
  );
  const uses = new Set<"events" | "result">();
  const part: PartContext = {
    signal,
    writer,
    ...defined({ total: totalOf(request?.timeouts), onPermission, callTool, fullQueue, keepsProcess, gate }),
    output: context.output,
    resultAt: (end) => collector.resultAt(end),
    // A function, because it is known only later whether a consumer reads the events.
    commit: () => context.commit ?? (uses.has("result") && !uses.has("events") ? "end" : "first-event"),
  };
  const { provider, model } = first ?? {};
  writer.write(defined({ type: "run-start", runId, provider, model, metadata: request?.metadata }));
  const done = drive(part, begin, isByClosing).then((end) => {
    stopListening();
    writer.tick();
    writer.write(queue.lost === undefined ? withDefaultWait(end) : failedEnd(queue.lost, end.failure?.partialText));
    writer.flush();
    queue.end();
    return withOutput(collector.result(), context.output);
  });
  writer.flush();
  const onUse = (use: "events" | "result"): unknown => uses.add(use);
  return createRunStream({ next: () => queue.next(), discard: () => queue.discard(), cancel, onUse, done });
}

/** Only the end of the run gets the default wait: the policies choose the delays between the attempts. */
function withDefaultWait(end: RunEnd): RunEnd {
  return end.failure === undefined ? end : { ...end, failure: withWait(end.failure) };
}

/** Events hold the value as JSON; the result holds what the caller's schema made of it. */
function withOutput(result: RunResult, output: OutputValidator | undefined): RunResult {
  if (output === undefined || result.object === undefined) return result;
  return { ...result, object: output.output() as JsonValue };
}

async function drive(
  context: PartContext,
  begin: (context: PartContext) => Promise<RunEnd>,
  isByClosing: () => boolean,
): Promise<RunEnd> {
  const { signal } = context;
  if (signal.aborted) return failedEnd(isByClosing() ? CLOSED : CANCELLED);
  try {
    const end = await begin(context);
    const { failure } = end;
    if (failure === undefined || !signal.aborted) return end;
    if (isByClosing()) return failedEnd(CLOSED_DURING_RUN, failure.partialText);
    return failure.category === "cancelled" ? end : cancelledEnd(failure.partialText);
  } catch (error) {
    const why = thrownMessage(error);
    return failedEnd(createFailure("unclassified", `The run failed with an internal error: ${why}`));
  }
}

function listenForCancel(
  asked: AbortSignal | undefined,
  closing: AbortSignal,
): {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
  readonly stopListening: () => void;
  readonly isByClosing: () => boolean;
} {
  const cancelling = new AbortController();
  const { signal } = cancelling;
  let isByClosing = false;
  const cancel = (): void => cancelling.abort();
  const close = (): void => {
    isByClosing ||= !signal.aborted;
    cancel();
  };
  const listeners = [[asked, cancel] as const, [closing, close] as const];
  for (const [source, listener] of listeners) {
    if (source?.aborted === true) listener();
    source?.addEventListener("abort", listener);
  }
  const stopListening = (): void => {
    for (const [source, listener] of listeners) source?.removeEventListener("abort", listener);
  };
  return { signal, cancel, stopListening, isByClosing: () => isByClosing };
}

/** An invalid number is ignored here; validation refuses it when the attempt begins. */
function totalOf({ totalMs = 0 }: RunRequest["timeouts"] = {}): TotalTime | undefined {
  return totalMs > 0 ? new TotalTime(totalMs) : undefined;
}
