import type { EventDraft, RunEnd, RunEvent } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunStream } from "../spec/stream.ts";
import type { Usage } from "../spec/usage.ts";
import { addCost, addUsage } from "./add-usage.ts";
import { BatchQueue, weightOf } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import { concludeFailure } from "./conclude.ts";
import { EventLog } from "./event-log.ts";
import type { RunHost } from "./run-host.ts";
import type { RunIds } from "./run-ids.ts";
import { createRunStream } from "./run-stream.ts";
import { withIds } from "./with-ids.ts";

/** What a relay is made from. */
export type RelayParts = {
  readonly run: string;
  readonly host: RunHost;
  readonly request: RunRequest;
  /** Numbers the calls apart from whatever else the run is made of. */
  readonly runIds: RunIds;
};

/**
 * One run made of several calls: a single `run-start` and `run-end`, events numbered and timed anew, ids unique across calls, usage
 * added up.
 */
export class Relay {
  readonly stream: RunStream;
  private readonly log = new EventLog(() => performance.now());
  private readonly queue: BatchQueue;
  private readonly collector: Collector;
  private markDone = (): void => {};
  private readonly runIds: RunIds;
  private call = 0;
  private part = 1;
  private usageBefore: Usage | undefined;
  private costBefore = 0;
  private current: { usage?: Usage; costUsd?: number } = {};

  constructor(
    { run, host, request, runIds }: RelayParts,
    options: { readonly keepEvents: boolean; readonly cancel: () => void },
  ) {
    this.runIds = runIds;
    this.queue = new BatchQueue(host.limits.spillBytes, host.spills);
    this.collector = new Collector(options.keepEvents);
    const { queue, collector } = this;
    const done = new Promise<void>((resolve) => {
      this.markDone = resolve;
    }).then(() => collector.result());
    this.stream = createRunStream({
      next: () => queue.next(),
      discard: () => queue.discard(),
      cancel: options.cancel,
      done,
    });
    this.log.stamp({ type: "run-start", runId: run, ...(request.metadata !== undefined && { metadata: request.metadata }) });
    this.flush();
  }

  /** From here on events belong to another call. */
  beginCall(): void {
    this.call += 1;
    if (this.call > 1) this.part = this.runIds.nextPart();
    const { usage, costUsd = 0 } = this.current;
    if (usage !== undefined) this.usageBefore = addUsage(this.usageBefore, usage);
    this.costBefore = addCost(this.costBefore, costUsd);
    this.current = {};
  }

  /** The id under which something of the current call is known to the reader. */
  idOf(id: string): string {
    return this.part > 1 ? `${this.part}:${id}` : id;
  }

  /** Passes an event of the current call on; its run-start and run-end are the caller's business. */
  pass(event: RunEvent): void {
    this.log.tick();
    switch (event.type) {
      case "run-start":
      case "run-end":
        return;
      case "session-start":
        if (this.call === 1) this.log.stamp(event);
        return;
      case "attempt-start":
        return this.log.stamp({ ...event, attempt: this.call });
      case "usage":
        return this.passUsage(event.usage, event.costUsd);
      case "text-delta":
      case "text-end":
      case "text-reset":
      case "reasoning-delta":
        return this.add({ ...event, messageId: this.idOf(event.messageId) });
      default:
        return this.log.stamp(withIds(event, (id) => this.idOf(id)));
    }
  }

  /** Adds an event of our own. */
  add(draft: EventDraft): void {
    this.log.add(draft);
  }

  /** Hands over what was added since the last time. */
  flush(): void {
    const batch = this.log.take();
    if (batch.length === 0) return;
    for (const event of batch) this.collector.add(event);
    this.queue.push(batch, weightOf(batch));
  }

  /** Ends the run well. */
  end(finish: RunEnd["finish"], answerId?: string): void {
    this.log.tick();
    this.log.stamp({ type: "run-end", finish, ...(answerId !== undefined && { answerId }) });
    this.close();
  }

  /** Ends the run with a failure. */
  fail(failure: Failure, finish?: RunEnd["finish"]): void {
    this.log.tick();
    concludeFailure(this.log, failure, finish);
    this.close();
  }

  private passUsage(usage: Usage, costUsd: number | undefined): void {
    this.current = { usage, ...(costUsd !== undefined && { costUsd }) };
    const cost = costUsd === undefined && this.costBefore === 0 ? {} : { costUsd: addCost(this.costBefore, costUsd ?? 0) };
    this.add({ type: "usage", usage: addUsage(this.usageBefore, usage), ...cost });
  }

  private close(): void {
    this.flush();
    this.queue.end();
    this.markDone();
  }
}
