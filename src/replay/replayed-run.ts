import { concludeEnding, concludeTurn } from "../attempt/conclude.ts";
import { EventLog } from "../attempt/event-log.ts";
import { decodeStep } from "../attempt/read-step.ts";
import type { Ending } from "../failures/classify.ts";
import { RunWriter } from "../run/run-writer.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEnd, RunEvent } from "../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../spec/wire/wire.ts";

/** The run that a recorded turn becomes. */
export class ReplayedRun {
  readonly log: EventLog;
  private readonly provider: Provider;
  private readonly writer: RunWriter;
  private written: readonly RunEvent[] | undefined;

  constructor(provider: Provider, number: number) {
    this.provider = provider;
    this.writer = new RunWriter(
      `replay.${number}`,
      () => 0,
      () => {},
    );
    this.writer.write({ type: "run-start", runId: this.writer.runId, provider: provider.id });
    this.log = new EventLog(this.writer, this.writer);
  }

  /** All events of the run; undefined while it is open. */
  get events(): readonly RunEvent[] | undefined {
    return this.written;
  }

  add(step: WireStep): void {
    decodeStep(step, this.log);
  }

  /** Ends the run as its CLI declared. */
  endTurn(turnEnd: TurnEnd, ending: Ending): readonly RunEvent[] {
    return this.close(concludeTurn(this.log, turnEnd, { provider: this.provider }, ending));
  }

  /** Ends the run with its process. */
  endWithProcess(ending: Ending): readonly RunEvent[] {
    return this.close(concludeEnding(this.log, { provider: this.provider }, ending));
  }

  private close(end: RunEnd): readonly RunEvent[] {
    this.writer.write(end);
    this.written = this.writer.take();
    return this.written;
  }
}
