import { setImmediate } from "node:timers/promises";
import { BatchQueue, weightOf } from "../run/batch-queue.ts";
import { Collector } from "../run/collect.ts";
import { CANCELLED } from "../run/refused-run.ts";
import { RunIds } from "../run/run-ids.ts";
import { createRunStream } from "../run/run-stream.ts";
import { type InnerContext, RUN_IDS } from "../run/runner.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { EventBody, RunEvent } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { EventSequence } from "./event-sequence.ts";
import { mayHaveActed } from "./may-have-acted.ts";
import { PassTrace, type RunEndEvent } from "./pass-trace.ts";
import { type PauseEnd, pause } from "./pause.ts";
import type { PolicyHost } from "./policy.ts";

/** An inner run that is over. */
export type Passed = { readonly trace: PassTrace; readonly end: RunEndEvent };

/** Starts a run that is made of inner runs; `drive` decides which, and how it ends. Its first part happens at once. */
export function relayRun(
  host: PolicyHost,
  request: RunRequest,
  context: RunContext,
  drive: (run: RelayedRun) => Promise<void>,
): RunStream {
  const run = new RelayedRun(host, request, context);
  drive(run).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    run.fail(createFailure("unclassified", `The run failed with an internal error: ${why}`));
  });
  return run.stream;
}

/** One run made of one or more inner runs: whatever they do, one `run-start` first and one `run-end` last. */
export class RelayedRun {
  readonly stream: RunStream;
  /** What the next inner run is given. */
  readonly context: InnerContext;
  readonly sequence: EventSequence = new EventSequence();
  private readonly host: PolicyHost;
  private readonly request: RunRequest;
  private readonly outer: InnerContext;
  private readonly runIds: RunIds;
  private readonly queue: BatchQueue;
  private readonly collector: Collector;
  private readonly cancelling = new AbortController();
  private markDone = (): void => {};
  private held: RunEvent[] = [];
  private isUnread = false;
  private inner: RunStream | undefined;

  constructor(host: PolicyHost, request: RunRequest, context: RunContext) {
    this.host = host;
    this.request = request;
    this.outer = context;
    this.runIds = this.outer[RUN_IDS] ?? new RunIds(host.nextRunId);
    this.context = this.toInnerContext();
    this.queue = new BatchQueue(host.limits.spillBytes, host.spills);
    this.collector = new Collector(context.keepEvents === true);
    const done = new Promise<void>((resolve) => {
      this.markDone = resolve;
    }).then(() => this.collector.result());
    const discard = (): void => {
      this.isUnread = true;
      this.queue.discard();
    };
    this.stream = createRunStream({ next: () => this.queue.next(), discard, cancel: this.cancel, done });
  }

  /** Ends whatever is going on; the run is over soon after. */
  readonly cancel = (): void => {
    this.cancelling.abort();
    this.inner?.interrupt();
  };

  /**
   * Passes an inner run on, all but its end. What came with a good end is held, so that nobody takes a finished answer for an
   * unfinished one; what came with a failure is shown, so that whoever counts the costs can stop the run before it goes on.
   */
  async pass(inner: RunStream, onBatch?: (trace: PassTrace) => void): Promise<Passed> {
    const trace = new PassTrace();
    this.sequence.beginPass(() => this.runIds.nextPart());
    this.inner = inner;
    if (this.cancelling.signal.aborted) inner.interrupt();
    for await (const batch of inner.batches()) {
      trace.note(batch);
      const events = this.sequence.take(trace.end === undefined ? batch : batch.slice(0, -1));
      if (trace.end !== undefined && trace.end.failure === undefined) this.held.push(...events);
      else this.handOver(events);
      onBatch?.(trace);
    }
    this.inner = undefined;
    this.sequence.endPass(trace);
    if (trace.end?.failure !== undefined) await letOthersStopUs();
    return { trace, end: trace.end ?? LOST };
  }

  /** True when the inner run left nothing that keeps another from following it. */
  mayRepeat({ trace, end }: Passed): boolean {
    if (trace.hasActed || this.isCancelled() || mayHaveActed(this.host, this.request, trace, end.failure)) return false;
    return !trace.hasShown || this.context.commit === "end";
  }

  /** Takes back what the inner run has said. */
  takeBack({ trace }: Passed): void {
    for (const messageId of trace.said) this.add({ type: "text-reset", messageId: this.sequence.idOf(messageId) });
  }

  /** Adds an event of our own; it is shown with the next ones, or when the run pauses or ends. */
  add(body: EventBody): void {
    if (this.sequence.isEmpty) this.begin();
    this.held.push(this.sequence.stamp(body));
  }

  /** Shows an event of our own at once. */
  show(body: EventBody): void {
    this.add(body);
    this.handOver([]);
  }

  /** Waits for a time, for a word, or for either; `cancelled` when the run is not wanted any more. */
  pause(ms: number | undefined, onWait?: (wake: () => void) => void): Promise<PauseEnd> {
    this.handOver([]);
    const signals = [this.cancelling.signal, this.outer.signal, this.host.closing];
    return pause({ signals, ...(ms !== undefined && { ms }), ...(onWait !== undefined && { onWait }) });
  }

  /** Ends the run as its last inner run ended; a run that failed while it was being cancelled was cancelled. */
  end({ end }: Pick<Passed, "end">): void {
    const { failure } = end;
    // Inner layers tell what was, so that those around them learn of a spent quota even from a run that is being stopped.
    const isOutermost = this.outer[RUN_IDS] === undefined;
    if (failure !== undefined && failure.category !== "cancelled" && isOutermost && this.isCancelled())
      return this.endCancelled(failure.partialText);
    this.close(this.sequence.stampEnd(end));
  }

  /** Ends the run with a failure. */
  fail(failure: Failure): void {
    if (this.sequence.isEmpty) this.begin();
    const finish = failure.category === "cancelled" ? "cancelled" : "error";
    this.close(this.sequence.stamp({ type: "run-end", finish, failure }));
  }

  /** Ends the run because nobody wants it any more. */
  endCancelled(partialText?: string): void {
    this.fail({ ...CANCELLED, ...(partialText !== undefined && { partialText }) });
  }

  private isCancelled(): boolean {
    return this.cancelling.signal.aborted || this.outer.signal?.aborted === true || this.host.closing.aborted;
  }

  /** Whether somebody reads the events is not known at the beginning; whoever asks is told what holds by then. */
  private toInnerContext(): InnerContext {
    const { signal, onPermission } = this.outer;
    const commit = (): "first-event" | "end" => this.outer.commit ?? (this.isUnread ? "end" : "first-event");
    return {
      ...(signal !== undefined && { signal }),
      ...(onPermission !== undefined && { onPermission }),
      [RUN_IDS]: this.runIds,
      get commit() {
        return commit();
      },
    };
  }

  private begin(): void {
    const { metadata } = this.request;
    const start = { type: "run-start", runId: this.runIds.first, ...(metadata !== undefined && { metadata }) } as const;
    this.held.push(this.sequence.stamp(start));
  }

  /** Hands events over, after those that were held. */
  private handOver(events: readonly RunEvent[]): void {
    const batch = this.held.length === 0 ? events : [...this.held, ...events];
    this.held = [];
    if (batch.length === 0) return;
    for (const event of batch) this.collector.add(event);
    this.queue.push(batch, weightOf(batch));
  }

  private close(end: RunEvent): void {
    this.handOver([end]);
    this.queue.end();
    this.markDone();
  }
}

/** Whoever counts the costs reads what we show, and has to have read it before another attempt begins. */
const letOthersStopUs = (): Promise<void> => setImmediate();

const LOST: RunEndEvent = {
  type: "run-end",
  finish: "error",
  failure: createFailure("no-terminal-event", "The run ended without a run-end event."),
  seq: 0,
  atMs: 0,
};
