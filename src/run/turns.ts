import type { DialectContext, DialectStep, DialectTurn } from "../spec/dialect.ts";
import type { RunEvent } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";
import type { OutputFormat, Provider } from "../spec/provider.ts";
import type { Ending } from "./classify.ts";
import { concludeEnding, concludeTurn } from "./conclude.ts";
import { DEFAULT_LINE_BYTES } from "./defaults.ts";
import { dialectOf } from "./dialect-of.ts";
import { EventLog } from "./event-log.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";

const NOTHING_KNOWN: Ending = { stderrTail: "" };

/** Reads output that is all there already, in which one process may have taken several turns; each is a run of its own. */
export class Turns {
  private readonly provider: Provider;
  private readonly format: OutputFormat;
  private context: DialectContext;
  private readonly reader: NativeReader;
  private readonly done: (readonly RunEvent[])[] = [];
  private turn: DialectTurn;
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
    if (this.log !== undefined || this.done.length === 0) {
      const log = this.begun();
      concludeEnding(log, { provider: this.provider }, ending);
      this.done.push(log.take());
    }
    return this.done;
  }

  private take(step: DialectStep, ending = NOTHING_KNOWN): void {
    if (step.turnEnd === undefined && this.isNoise(step)) return;
    const log = this.begun();
    for (const event of step.events) log.add(event);
    if (step.turnEnd === undefined) return;
    concludeTurn(log, step.turnEnd, { provider: this.provider }, ending);
    this.done.push(log.take());
    this.log = undefined;
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
    this.log = new EventLog(() => 0);
    this.log.stamp({ type: "run-start", runId: `replay.${this.done.length}` });
    return this.log;
  }
}
