import { withWait } from "../failures/times/read-times.ts";
import { modelOf, type ResolvedTarget } from "../request/targets.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import { createFailure, thrownMessage } from "../spec/failure/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunKind } from "../spec/run-listener.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { RunEnd, RunStart } from "../spec/wire/events.ts";
import { BatchQueue } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import { CANCELLED, CLOSED, CLOSED_DURING_RUN, cancelledEnd, failedEnd } from "./failed-end.ts";
import { observeRun } from "./observe-run.ts";
import type { PartContext } from "./part.ts";
import type { RunHost } from "./run-host.ts";
import { createRunStream } from "./run-stream.ts";
import { RunWriter } from "./run-writer.ts";
import { TotalTime } from "./total-time.ts";

/** `output` validates the structured answer. `kind` says who started the run; `run` by default. */
export type OpenContext = RunContext & Pick<PartContext, "output"> & { readonly kind?: RunKind };

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
  first?: ResolvedTarget,
): RunStream {
  const { cancel, signal, stopListening, isByClosing } = listenForCancel(context.signal, host.closing);
  const queue = new BatchQueue(host.limits.spillBytes, host.spills, cancel);
  const collector = new Collector(context.keepEvents === true);
  const runId = host.nextRunId();
  const { kind = "run" } = context;
  const observe = host.onRun && observeRun(host.onRun, { runId, kind, ...(request !== undefined && { request }) });
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
    ...totalOf(request?.timeouts),
    ...(context.onPermission !== undefined && { onPermission: context.onPermission }),
    ...(context.callTool !== undefined && { callTool: context.callTool }),
    ...(context.fullQueue !== undefined && { fullQueue: context.fullQueue }),
    ...(context.keepsProcess !== undefined && { keepsProcess: context.keepsProcess }),
    ...(context.gate !== undefined && { gate: context.gate }),
    output: context.output,
    resultAt: (end) => collector.resultAt(end),
    // A function, because it is known only later whether a consumer reads the events.
    commit: () => context.commit ?? (uses.has("result") && !uses.has("events") ? "end" : "first-event"),
  };
  writer.write({ type: "run-start", runId, ...namesOf(first), ...metadataOf(request) });
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

function namesOf(first: ResolvedTarget | undefined): Pick<RunStart, "provider" | "model"> {
  if (first === undefined) return {};
  const model = modelOf(first);
  return { provider: first.id, ...(model !== undefined && { model }) };
}

function metadataOf(request: RunRequest | undefined): Pick<RunStart, "metadata"> {
  return request?.metadata === undefined ? {} : { metadata: request.metadata };
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
function totalOf(timeouts: RunRequest["timeouts"]): { readonly total?: TotalTime } {
  const totalMs = timeouts?.totalMs;
  return totalMs !== undefined && totalMs > 0 ? { total: new TotalTime(totalMs) } : {};
}
