import { concludeEnding, concludeTurn, warnOfDropped } from "../attempt/conclude.ts";
import { EventLog } from "../attempt/event-log.ts";
import { decodeStep } from "../attempt/read-step.ts";
import type { Ending } from "../failures/classify.ts";
import { createNativeReader, type NativeReader } from "../process/channel/native-reader.ts";
import { DEFAULT_LINE_BYTES } from "../request/defaults.ts";
import { RunWriter } from "../run/run-writer.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEnd, RunEvent } from "../spec/wire/events.ts";
import type { Connection, TurnBaseline, TurnEnd, Wire, WireStep, WireTurn } from "../spec/wire/wire.ts";

/** A turn that ends while its process goes on: nothing is known of an exit or of stderr. */
export const NOTHING_KNOWN: Ending = { stderrTail: "" };

/** Reads the recorded output of one process with one or more turns; each turn becomes a run. */
export class RecordedTurns {
  private readonly provider: Provider;
  private readonly before: TurnBaseline;
  private readonly connection: Connection;
  private readonly reader: NativeReader;
  private readonly done: (readonly RunEvent[])[] = [];
  private turn: WireTurn;
  private run: ReplayedRun | undefined;

  constructor(provider: Provider, wire: Wire, before: TurnBaseline) {
    this.provider = provider;
    this.before = before;
    this.connection = wire.connect();
    this.turn = this.nextTurn();
    this.reader = createNativeReader(wire.framing, {
      lineBytes: DEFAULT_LINE_BYTES,
      onValue: (native: JsonValue) => this.take(this.turn.step(native)),
      onDropped: (line) => this.currentRun().log.add(warnOfDropped(line)),
      ...(wire.readLine !== undefined && { readLine: wire.readLine }),
    });
  }

  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Ends the output and returns the events of every turn. */
  end(ending: Ending): readonly (readonly RunEvent[])[] {
    this.reader.end();
    this.take(this.turn.finish(ending), ending);
    if (this.run !== undefined || this.done.length === 0) this.close(this.currentRun().endWithProcess(ending));
    return this.done;
  }

  private take(step: WireStep, ending = NOTHING_KNOWN): void {
    if (step.turnEnd === undefined && this.isNoise(step)) return;
    const run = this.currentRun();
    run.add(step);
    if (step.turnEnd === undefined) return;
    this.close(run.endTurn(step.turnEnd, ending));
    this.turn = this.nextTurn();
  }

  private nextTurn(): WireTurn {
    return this.connection.start(this.done.length, { prompt: "" }, this.before);
  }

  /** A `native` event belongs to the run in progress; after a finished turn it does not begin another one. */
  private isNoise(step: WireStep): boolean {
    return (
      step.events.length === 0 ||
      (this.run === undefined && this.done.length > 0 && step.events.every((event) => event.type === "native"))
    );
  }

  private currentRun(): ReplayedRun {
    this.run ??= new ReplayedRun(this.provider, this.done.length);
    return this.run;
  }

  private close(events: readonly RunEvent[]): void {
    this.done.push(events);
    this.run = undefined;
  }
}

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
