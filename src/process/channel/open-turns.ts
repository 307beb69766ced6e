import type { JsonValue } from "../../spec/json.ts";
import type { Send, TurnKey, WireTurn } from "../../spec/wire/wire.ts";
import type { Channel, ParkedTurn, ParkReason, TakeUsage, TurnHandle, TurnSink } from "./channel.ts";

/** The open turns of a channel, each with its reader. */
export class OpenTurns {
  private readonly turns = new Map<TurnKey, TurnSink>();
  /** Replaced at each change, never changed, because a reader may close its turn while it is called. */
  private list: readonly TurnSink[] = [];
  /** The turns in which the CLI waits for an answer of the run that reads them. */
  private readonly asking = new Set<TurnKey>();
  private awaitsHost = false;
  private readonly onWait: (awaitsHost: boolean) => void;

  /** `onWait` is called when the CLI begins to wait for answers of the host in any turn, and when it waits in none. */
  constructor(onWait: (awaitsHost: boolean) => void) {
    this.onWait = onWait;
  }

  get size(): number {
    return this.turns.size;
  }

  has(key: TurnKey): boolean {
    return this.turns.has(key);
  }

  of(key: TurnKey): TurnSink | undefined {
    return this.turns.get(key);
  }

  sinks(): readonly TurnSink[] {
    return this.list;
  }

  /** Opens a turn, or gives it another reader. */
  set(key: TurnKey, sink: TurnSink): void {
    // The CLI waits on in an interrupted turn until it has ended it.
    const waitsOn = sink instanceof InterruptedTurn && (this.asking.has(key) || isForResults(this.turns.get(key)));
    this.turns.set(key, sink);
    this.setAsking(key, waitsOn);
  }

  close(key: TurnKey): void {
    this.turns.delete(key);
    this.setAsking(key, false);
  }

  /** Reports whether the CLI waits for an answer of the run that reads this turn. */
  setAsking(key: TurnKey, isAsking: boolean): void {
    if (isAsking && this.turns.has(key)) this.asking.add(key);
    else this.asking.delete(key);
    this.list = [...this.turns.values()];
    const awaitsHost = this.asking.size > 0 || this.list.some(isForResults);
    if (awaitsHost === this.awaitsHost) return;
    this.awaitsHost = awaitsHost;
    this.onWait(awaitsHost);
  }

  /** True if no run waits for the process: it has no open turn, or only interrupted ones. */
  isGivenUp(): boolean {
    return this.list.every((sink) => sink instanceof InterruptedTurn);
  }

  /** True if there are turns, and all of them are parked. */
  isParked(): boolean {
    return this.list.length > 0 && this.list.every((sink) => sink instanceof ParkedTurnSink);
  }

  /** True if no run reads a turn now; a parked turn is read by a later run. */
  isUnread(): boolean {
    return this.list.every((sink) => sink instanceof UnreadTurn);
  }
}

/** True for the reader of a turn that is parked until a run brings results. */
function isForResults(sink: TurnSink | undefined): boolean {
  return sink instanceof ParkedTurnSink && sink.waitsFor === "results";
}

/** Reads a turn that no run reads now; output that cannot be read ends the turn. */
abstract class UnreadTurn implements TurnSink {
  abstract onValue(native: JsonValue): void;
  abstract onEnd(): void;
  protected abstract fail(): void;

  onDropped(): void {
    this.fail();
  }

  onBroken(): void {
    this.fail();
  }

  onRead(): void {}

  onReadEnd(): void {}

  onStderr(): void {}
}

/** A turn that prints more than this while it is parked does not wait for results. */
const MOST_VALUES = 1000;

export type ParkedTurnOptions = {
  readonly channel: Channel;
  readonly waitsFor: ParkReason;
  readonly resume: (sink: TurnSink) => TurnHandle;
  /** Interrupts the turn, or closes it if it has ended; a process that takes no other turn is ended. */
  readonly giveUp: () => void;
};

export class ParkedTurnSink extends UnreadTurn implements ParkedTurn {
  readonly channel: Channel;
  readonly waitsFor: ParkReason;
  private readonly options: ParkedTurnOptions;
  private readonly values: JsonValue[] = [];
  private isOver = false;

  constructor(options: ParkedTurnOptions) {
    super();
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

  onEnd(): void {
    this.isOver = true;
  }

  protected fail(): void {
    this.end();
  }
}

/** How long a CLI may take to end a turn that was interrupted; measured: 4 to 372 ms. */
const INTERRUPT_GRACE_MS = 5000;

export type InterruptedTurnOptions = {
  readonly send: (sends: readonly Send[]) => void;
  /** Called once, with true if the CLI ended the turn and false if it did not. */
  readonly onEnd: (hasEnded: boolean) => void;
  /** Called with what the CLI reports as used at the end of the turn. */
  readonly onUsage?: TakeUsage | undefined;
};

/** Reads the rest of a turn that its run has given up, until the CLI ends it. Its events are dropped, but its usage can be taken. */
export class InterruptedTurn extends UnreadTurn {
  private readonly turn: WireTurn;
  private readonly options: InterruptedTurnOptions;
  private readonly grace: NodeJS.Timeout;
  private isOver = false;

  constructor(turn: WireTurn, options: InterruptedTurnOptions) {
    super();
    this.turn = turn;
    this.options = options;
    this.grace = setTimeout(() => this.fail(), INTERRUPT_GRACE_MS).unref();
  }

  onValue(native: JsonValue): void {
    if (this.isOver) return;
    try {
      const { events, send, turnEnd } = this.turn.step(native);
      for (const event of events) if (event.type === "usage") this.options.onUsage?.(event);
      if (send !== undefined) this.options.send(send);
      if (turnEnd !== undefined) this.end(true);
    } catch {
      this.fail();
    }
  }

  onEnd(): void {
    this.fail();
  }

  protected fail(): void {
    this.end(false);
  }

  private end(hasEnded: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.grace);
    this.options.onEnd(hasEnded);
  }
}

/** What the wire sends to interrupt a turn; a wire from outside this package may throw. */
export function interruptionOf(turn: WireTurn): readonly Send[] {
  try {
    return turn.interrupt().send ?? [];
  } catch {
    return [];
  }
}
