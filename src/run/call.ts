import type { ProcessPlan } from "../spec/launch-plan.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { RunResult, RunWarning } from "../spec/result.ts";
import type { RunContext } from "../spec/stream.ts";
import { BatchQueue } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import { EventLog } from "./event-log.ts";
import { CANCELLED } from "./refused-run.ts";
import { type SpawnParts, spawnTurn } from "./spawn-turn.ts";
import { Turn } from "./turn.ts";

/** What one call is made of. */
export type CallParts = SpawnParts & {
  readonly plan: ProcessPlan;
  readonly target: Target;
  readonly request: PromptRequest;
  readonly context: RunContext;
  readonly warnings: readonly RunWarning[];
};

/** One turn on a process of its own as a run: its queue, its collector and its first events. */
export class Call {
  readonly queue: BatchQueue;
  /** The folded run; settles when the run is over, whether anybody reads its events or not. */
  readonly done: Promise<RunResult>;
  private readonly parts: CallParts;
  private readonly log = new EventLog(() => performance.now());
  private readonly turn: Turn;
  private readonly flush: (weight: number) => void;

  constructor(parts: CallParts) {
    const { host, run, request, context } = parts;
    const { metadata } = request;
    const { signal, onPermission, keepEvents = false } = context;
    this.parts = parts;
    this.queue = new BatchQueue(host.limits.spillBytes, host.spills);
    const collector = new Collector(keepEvents);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.done = promise;
    this.flush = (weight) => {
      const batch = this.log.take();
      for (const event of batch) collector.add(event);
      if (batch.length > 0) this.queue.push(batch, weight);
    };
    const onEnd = (): void => {
      signal?.removeEventListener("abort", this.cancel);
      this.queue.end();
      resolve(collector.result());
    };
    this.turn = new Turn({ ...parts, ...(onPermission && { onPermission }), log: this.log, flush: this.flush, onEnd });
    signal?.addEventListener("abort", this.cancel, { once: true });
    this.log.stamp({ type: "run-start", runId: run, ...(metadata !== undefined && { metadata }) });
  }

  /** Ends the call because nobody wants it any more. */
  readonly cancel = (): void => this.turn.fail(CANCELLED);

  /** Starts the process. */
  start(): void {
    const { plan, provider, target, warnings } = this.parts;
    const model = target.model ?? provider.defaultModel;
    const about = { provider: provider.id, ...(model !== undefined && { model }) };
    this.log.stamp({ type: "attempt-start", ...about, transport: "spawn", warm: false, attempt: 1 });
    for (const warning of warnings) this.log.stamp({ type: "warning", ...warning });
    spawnTurn(this.turn, plan, this.parts);
    this.flush(0);
  }
}
