import type { JsonValue } from "../../spec/json.ts";
import type { Channel, ParkedTurn, ParkReason, TurnHandle, TurnSink } from "./channel.ts";

/** A turn that prints more than this while it is parked does not wait for results. */
const MOST_VALUES = 1000;

export type ParkedTurnOptions = {
  readonly channel: Channel;
  readonly waitsFor: ParkReason;
  readonly resume: (sink: TurnSink) => TurnHandle;
  /** Interrupts the turn, or closes it if it has ended; a process that takes no other turn is ended. */
  readonly giveUp: () => void;
};

export class ParkedTurnSink implements TurnSink, ParkedTurn {
  readonly channel: Channel;
  readonly waitsFor: ParkReason;
  private readonly options: ParkedTurnOptions;
  private readonly values: JsonValue[] = [];
  private isOver = false;

  constructor(options: ParkedTurnOptions) {
    this.channel = options.channel;
    this.waitsFor = options.waitsFor;
    this.options = options;
  }

  get isOpen(): boolean {
    return !this.isOver;
  }

  resume(sink: TurnSink): TurnHandle {
    this.isOver = true;
    return this.options.resume(sink);
  }

  kept(): readonly JsonValue[] {
    return this.values;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.options.giveUp();
  }

  onValue(native: JsonValue): void {
    if (this.waitsFor === "message") return;
    this.values.push(native);
    if (this.values.length > MOST_VALUES) this.end();
  }

  onDropped(): void {
    this.end();
  }

  onBroken(): void {
    this.end();
  }

  onEnd(): void {
    this.isOver = true;
  }

  onRead(): void {}

  onReadEnd(): void {}

  onStderr(): void {}
}
