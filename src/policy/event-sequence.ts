import { addCost, addUsage } from "../run/add-usage.ts";
import { withIds } from "../run/with-ids.ts";
import type { EventBody, RunEvent } from "../spec/events.ts";
import type { Usage } from "../spec/usage.ts";
import type { PassTrace, RunEndEvent } from "./pass-trace.ts";

/**
 * Numbers the events of a run that is made of inner runs. As long as nothing is put between them, those of the first inner run
 * pass as they are; afterwards they are numbered and timed anew, ids are told apart by inner run, attempts and usage are added up.
 */
export class EventSequence {
  /** How many attempts the inner runs that are over have made. */
  attempts = 0;
  private readonly startedAt = performance.now();
  private next = 0;
  private part = 0;
  private isTouched = false;
  private usage: Usage | undefined;
  private costUsd: number | undefined;
  private readonly told = new Set<string>();

  /** True until the first event. */
  get isEmpty(): boolean {
    return this.next === 0;
  }

  /** Milliseconds since the run began. */
  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  /** From here on events belong to another inner run; all parts but the first show in their ids. */
  beginPass(nextPart: () => number): void {
    this.part = this.part === 0 ? 1 : nextPart();
    if (this.part > 1) this.isTouched = true;
  }

  /** These warnings are not told again. */
  hush(warnings: Iterable<string>): void {
    for (const message of warnings) this.told.add(message);
  }

  /** The inner run is over. */
  endPass({ attempts, usage, costUsd }: PassTrace): void {
    this.attempts += attempts;
    if (usage !== undefined) this.usage = addUsage(this.usage, usage);
    if (costUsd !== undefined) this.costUsd = addCost(costUsd, this.costUsd ?? 0);
  }

  /** The events of the current inner run as they are shown. */
  take(batch: readonly RunEvent[]): readonly RunEvent[] {
    if (this.isTouched) return batch.flatMap((event) => this.takeLater(event));
    this.next += batch.length;
    return batch;
  }

  /** An event of our own. */
  stamp(body: EventBody): RunEvent {
    this.isTouched = true;
    return this.number(body);
  }

  /** The end of the current inner run as the end of the whole. */
  stampEnd(end: RunEndEvent): RunEvent {
    return this.isTouched ? this.number(withIds(end, this.idOf)) : { ...end, seq: this.next++ };
  }

  /** The id under which something of the current inner run is shown. */
  readonly idOf = (id: string): string => (this.part > 1 ? `${this.part}:${id}` : id);

  private takeLater(event: RunEvent): readonly RunEvent[] {
    switch (event.type) {
      case "run-start":
        return this.isEmpty ? [this.number(event)] : [];
      case "attempt-start":
      case "retry":
        return [this.number({ ...event, attempt: event.attempt + this.attempts })];
      case "warning":
        return this.told.has(event.message) ? [] : [this.number(event)];
      case "usage":
        return [this.number(this.addUp(event.usage, event.costUsd))];
      default:
        return [this.number(withIds(event, this.idOf))];
    }
  }

  private addUp(usage: Usage, cost: number | undefined): EventBody {
    const isKnown = cost !== undefined || this.costUsd !== undefined;
    const costUsd = addCost(cost ?? 0, this.costUsd ?? 0);
    return { type: "usage", usage: addUsage(this.usage, usage), ...(isKnown && { costUsd }) };
  }

  private number(body: EventBody): RunEvent {
    return { ...body, seq: this.next++, atMs: Math.round(this.elapsedMs) };
  }
}
