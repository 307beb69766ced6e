import type { TurnKey } from "../spec/wire.ts";
import type { TurnSink } from "./channel.ts";
import { InterruptedTurn } from "./interrupted-turn.ts";
import { ParkedTurnSink } from "./parked-turn.ts";

/** The open turns of a channel and their readers. */
export class OpenTurns {
  private readonly turns = new Map<TurnKey, TurnSink>();
  /** Replaced when a turn opens or closes, never changed, because a reader may close its turn while it is notified. */
  private list: readonly TurnSink[] = [];

  get size(): number {
    return this.turns.size;
  }

  has(key: TurnKey): boolean {
    return this.turns.has(key);
  }

  /** The reader of a turn. */
  of(key: TurnKey): TurnSink | undefined {
    return this.turns.get(key);
  }

  /** The readers of all open turns. */
  sinks(): readonly TurnSink[] {
    return this.list;
  }

  /** Opens a turn, or gives it another reader. */
  set(key: TurnKey, sink: TurnSink): void {
    this.turns.set(key, sink);
    this.list = [...this.turns.values()];
  }

  /** Closes a turn; false if it was not open. */
  close(key: TurnKey): boolean {
    const wasOpen = this.turns.delete(key);
    this.list = [...this.turns.values()];
    return wasOpen;
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

  /** True if all turns are parked and one of them waits for results. */
  awaitsResults(): boolean {
    return this.isParked() && this.list.some((sink) => sink instanceof ParkedTurnSink && sink.waitsFor === "results");
  }

  /** True if no run reads a turn now; a parked turn is read by a later run. */
  isUnread(): boolean {
    return this.list.every((sink) => sink instanceof InterruptedTurn || sink instanceof ParkedTurnSink);
  }
}
