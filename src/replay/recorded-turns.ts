import { concludeEnding, concludeTurn } from "../attempt/conclude.ts";
import { warnOfDropped } from "../attempt/dropped-line.ts";
import { EventLog } from "../attempt/event-log.ts";
import { decodeStep } from "../attempt/turn-parts.ts";
import type { Ending } from "../failures/classify.ts";
import { createNativeReader, type NativeReader } from "../process/channel/native-reader.ts";
import { DEFAULT_LINE_BYTES } from "../request/defaults.ts";
import { RunWriter } from "../run/run-writer.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEnd, RunEvent } from "../spec/wire/events.ts";
import type { Connection, OutputFormat, TurnBaseline, WireStep, WireTurn } from "../spec/wire/wire.ts";
import { wireOf } from "./wire-of.ts";

const NOTHING_KNOWN: Ending = { stderrTail: "" };

/** Reads the recorded output of one process with one or more turns; each turn becomes a run. */
export class RecordedTurns {
  private readonly provider: Provider;
  private readonly before: TurnBaseline;
  private readonly connection: Connection;
  private readonly reader: NativeReader;
  private readonly done: (readonly RunEvent[])[] = [];
  private turn: WireTurn;
  private writer: RunWriter | undefined;
  private log: EventLog | undefined;

  constructor(provider: Provider, format: OutputFormat, before: TurnBaseline) {
    this.provider = provider;
    this.before = before;
    const wire = wireOf(provider, format);
    this.connection = wire.connect();
    this.turn = this.nextTurn();
    this.reader = createNativeReader(format, {
      lineBytes: DEFAULT_LINE_BYTES,
      onValue: (native: JsonValue) => this.take(this.turn.step(native)),
      onDropped: (line) => this.currentLog().add(warnOfDropped(line)),
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
    if (this.log !== undefined || this.done.length === 0)
      this.close(concludeEnding(this.currentLog(), { provider: this.provider }, ending));
    return this.done;
  }

  private take(step: WireStep, ending = NOTHING_KNOWN): void {
    if (step.turnEnd === undefined && this.isNoise(step)) return;
    const log = this.currentLog();
    decodeStep(step, log);
    if (step.turnEnd === undefined) return;
    this.close(concludeTurn(log, step.turnEnd, { provider: this.provider }, ending));
    this.turn = this.nextTurn();
  }

  private nextTurn(): WireTurn {
    return this.connection.start(this.done.length, { prompt: "" }, this.before);
  }

  /** A `native` event belongs to the run in progress; after a finished turn it does not begin another one. */
  private isNoise(step: WireStep): boolean {
    return (
      step.events.length === 0 ||
      (this.log === undefined && this.done.length > 0 && step.events.every((event) => event.type === "native"))
    );
  }

  private currentLog(): EventLog {
    if (this.log !== undefined) return this.log;
    this.writer = new RunWriter(
      `replay.${this.done.length}`,
      () => 0,
      () => {},
    );
    this.writer.write({ type: "run-start", runId: this.writer.runId, provider: this.provider.id });
    this.log = new EventLog(this.writer, this.writer);
    return this.log;
  }

  private close(end: RunEnd): void {
    this.writer?.write(end);
    this.done.push(this.writer?.take() ?? []);
    this.log = undefined;
  }
}
