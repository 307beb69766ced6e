import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd, RunStart } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { thrownMessage } from "../spec/thrown.ts";
import type { OutputValidator } from "../tools/standard-schema.ts";
import { BatchQueue } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import { cancelledEnd, failedEnd } from "./ends.ts";
import type { PartContext } from "./part.ts";
import { modelOf, type ResolvedTarget } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { createRunStream } from "./run-stream.ts";
import { RunWriter } from "./run-writer.ts";
import { TotalTime } from "./total-time.ts";

/** The context of a run, and the validator of its structured answer. */
export type OpenContext = RunContext & Pick<PartContext, "output">;

type OpenHost = Pick<RunHost, "limits" | "spills" | "closing" | "nextRunId">;

/**
 * Opens a run with one writer, one queue and one collector. `begin` is called at once, writes all events between `run-start` and
 * `run-end`, and returns the end of the run. `run-start` names the first target.
 */
export function openRun(
  host: OpenHost,
  request: Pick<RunRequest, "metadata" | "timeouts">,
  context: OpenContext,
  begin: (context: PartContext) => Promise<RunEnd>,
  first?: ResolvedTarget,
): RunStream {
  const { cancel, signal, stopListening } = listenForCancel([context.signal, host.closing]);
  const queue = new BatchQueue(host.limits.spillBytes, host.spills, cancel);
  const collector = new Collector(context.keepEvents === true);
  const writer = new RunWriter(
    host.nextRunId(),
    () => performance.now(),
    (batch, weight) => {
      for (const event of batch) collector.add(event);
      queue.push(batch, weight);
    },
  );
  let isUnread = false;
  const part: PartContext = {
    signal,
    writer,
    ...totalOf(request),
    ...(context.onPermission !== undefined && { onPermission: context.onPermission }),
    ...(context.callTool !== undefined && { callTool: context.callTool }),
    ...(context.fullQueue !== undefined && { fullQueue: context.fullQueue }),
    ...(context.keepsProcess !== undefined && { keepsProcess: context.keepsProcess }),
    output: context.output,
    resultAt: (end) => collector.resultAt(end),
    // A function, because it is known only later whether a consumer reads the events.
    commit: () => context.commit ?? (isUnread ? "end" : "first-event"),
  };
  const { metadata } = request;
  const runStart = { type: "run-start", runId: writer.runId, ...namesOf(first) } as const;
  writer.write({ ...runStart, ...(metadata !== undefined && { metadata }) });
  const done = drive(part, begin).then((end) => {
    stopListening();
    writer.tick();
    writer.write(queue.lost === undefined ? end : failedEnd(queue.lost, end.failure?.partialText));
    writer.flush();
    queue.end();
    return withOutput(collector.result(), context.output);
  });
  writer.flush();
  const discard = (): void => {
    isUnread = true;
    queue.discard();
  };
  return createRunStream({ next: () => queue.next(), discard, cancel, done });
}

function namesOf(first: ResolvedTarget | undefined): Pick<RunStart, "provider" | "model"> {
  if (first === undefined) return {};
  const model = modelOf(first);
  return { provider: first.id, ...(model !== undefined && { model }) };
}

/** Events hold the value as JSON; the result holds what the caller's schema made of it. */
function withOutput(result: RunResult, output: OutputValidator | undefined): RunResult {
  if (output === undefined || result.object === undefined) return result;
  return { ...result, object: output.output() as JsonValue };
}

async function drive(context: PartContext, begin: (context: PartContext) => Promise<RunEnd>): Promise<RunEnd> {
  const { signal } = context;
  if (signal.aborted) return cancelledEnd();
  try {
    const end = await begin(context);
    const { failure } = end;
    const isOther = failure !== undefined && failure.category !== "cancelled";
    return isOther && signal.aborted ? cancelledEnd(failure.partialText) : end;
  } catch (error) {
    const why = thrownMessage(error);
    return failedEnd(createFailure("unclassified", `The run failed with an internal error: ${why}`));
  }
}

function listenForCancel(signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
  readonly stopListening: () => void;
} {
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  for (const signal of signals) {
    if (signal?.aborted === true) cancel();
    signal?.addEventListener("abort", cancel);
  }
  const stopListening = (): void => {
    for (const signal of signals) signal?.removeEventListener("abort", cancel);
  };
  return { signal: cancelling.signal, cancel, stopListening };
}

/** An invalid number is ignored here; validation refuses it when the attempt begins. */
function totalOf({ timeouts }: Pick<RunRequest, "timeouts">): { readonly total?: TotalTime } {
  const totalMs = timeouts?.totalMs;
  return totalMs !== undefined && totalMs > 0 ? { total: new TotalTime(totalMs) } : {};
}
