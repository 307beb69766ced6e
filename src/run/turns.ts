import type { DialectContext, DialectStep, DialectTurn } from "../spec/dialect.ts";
import type { RunEnd, RunEvent } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";
import type { OutputFormat, Provider } from "../spec/provider.ts";
import type { Ending } from "./classify.ts";
import { concludeEnding, concludeTurn } from "./conclude.ts";
import { DEFAULT_LINE_BYTES } from "./defaults.ts";
import { dialectOf } from "./dialect-of.ts";
import { EventLog } from "./event-log.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import { RunWriter } from "./run-writer.ts";

const NOTHING_KNOWN: Ending = { stderrTail: "" };

/** Reads output that is all there already, in which one process may have taken several turns; each is a run of its own. */
export class Turns {
  private readonly provider: Provider;
  private readonly format: OutputFormat;
  private context: DialectContext;
  private readonly reader: NativeReader;
  private readonly done: (readonly RunEvent[])[] = [];
  private turn: DialectTurn;
  private writer: RunWriter | undefined;
  private log: EventLog | undefined;

  constructor(provider: Provider, format: OutputFormat, context: DialectContext) {
    this.provider = provider;
    this.format = format;
    this.context = context;
    this.turn = dialectOf(provider, format).start(context);
    this.reader = createNativeReader(format, {
      lineBytes: DEFAULT_LINE_BYTES,
      onValue: (native: JsonValue) => this.take(this.turn.step(native)),
      onDropped: (bytes) =>
        this.begun().add({ type: "warning", code: "line-too-long", message: `A line of ${bytes} bytes was dropped.` }),
    });
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Takes the end of the process and gives the events of every turn. */
  end(ending: Ending): readonly (readonly RunEvent[])[] {
    this.reader.end();
    this.take(this.turn.finish(ending), ending);
    if (this.log !== undefined || this.done.length === 0)
      this.close(concludeEnding(this.begun(), { provider: this.provider }, ending));
    return this.done;
  }

  private take(step: DialectStep, ending = NOTHING_KNOWN): void {
    if (step.turnEnd === undefined && this.isNoise(step)) return;
    const log = this.begun();
    for (const event of step.events) log.add(event);
    if (step.turnEnd === undefined) return;
    this.close(concludeTurn(log, step.turnEnd, { provider: this.provider }, ending));
    const { totalCostUsd } = step.turnEnd;
    this.context = {
      ...this.context,
      turnsBefore: this.done.length,
      ...(totalCostUsd !== undefined && { costBeforeUsd: totalCostUsd }),
    };
    this.turn = dialectOf(this.provider, this.format).start(this.context);
  }

  /** What is not understood is kept with its run, but after a finished turn it does not begin another. */
  private isNoise(step: DialectStep): boolean {
    return (
      step.events.length === 0 ||
      (this.log === undefined && this.done.length > 0 && step.events.every((event) => event.type === "native"))
    );
  }

  private begun(): EventLog {
    if (this.log !== undefined) return this.log;
    this.writer = new RunWriter(
      `replay.${this.done.length}`,
      () => 0,
      () => {},
    );
    this.writer.write({ type: "run-start", runId: this.writer.runId });
    this.log = new EventLog(this.writer, this.writer);
    return this.log;
  }

  private close(end: RunEnd): void {
    this.writer?.write(end);
    this.done.push(this.writer?.take() ?? []);
    this.log = undefined;
  }
}
