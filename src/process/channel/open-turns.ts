import type { TurnKey } from "../../spec/wire/wire.ts";
import type { TurnSink } from "./channel.ts";
import { InterruptedTurn } from "./interrupted-turn.ts";
import { ParkedTurnSink } from "./parked-turn.ts";

export class OpenTurns {
  private readonly turns = new Map<TurnKey, TurnSink>();
  /** Replaced at each change, never changed, because a reader may close its turn while it is notified. */
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
    if (waitsOn) this.asking.add(key);
    else this.asking.delete(key);
    this.update();
  }

  /** False if the turn was not open. */
  close(key: TurnKey): boolean {
    const wasOpen = this.turns.delete(key);
    this.asking.delete(key);
    this.update();
    return wasOpen;
  }

  /** Reports whether the CLI waits for an answer of the run that reads this turn. */
  setAsking(key: TurnKey, isAsking: boolean): void {
    if (isAsking && this.turns.has(key)) this.asking.add(key);
    else this.asking.delete(key);
    this.update();
  }

  notify(call: (sink: TurnSink) => void): void {
    for (const sink of this.list) call(sink);
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
    return this.list.every((sink) => sink instanceof InterruptedTurn || sink instanceof ParkedTurnSink);
  }

  private update(): void {
    this.list = [...this.turns.values()];
    const awaitsHost = this.asking.size > 0 || this.list.some(isForResults);
    if (awaitsHost === this.awaitsHost) return;
    this.awaitsHost = awaitsHost;
    this.onWait(awaitsHost);
  }
}

/** True for the reader of a turn that is parked until a run brings results. */
function isForResults(sink: TurnSink | undefined): boolean {
  return sink instanceof ParkedTurnSink && sink.waitsFor === "results";
}
