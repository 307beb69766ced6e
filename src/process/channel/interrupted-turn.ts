import type { JsonValue } from "../../spec/json.ts";
import type { Send, WireTurn } from "../../spec/wire/wire.ts";
import type { TakeUsage, TurnSink } from "./channel.ts";

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
export class InterruptedTurn implements TurnSink {
  private readonly turn: WireTurn;
  private readonly options: InterruptedTurnOptions;
  private readonly grace: NodeJS.Timeout;
  private isOver = false;

  constructor(turn: WireTurn, options: InterruptedTurnOptions) {
    this.turn = turn;
    this.options = options;
    this.grace = setTimeout(() => this.end(false), INTERRUPT_GRACE_MS).unref();
  }

  onValue(native: JsonValue): void {
    if (this.isOver) return;
    try {
      const { events, send, turnEnd } = this.turn.step(native);
      for (const event of events) if (event.type === "usage") this.options.onUsage?.(event);
      if (send !== undefined) this.options.send(send);
      if (turnEnd !== undefined) this.end(true);
    } catch {
      this.end(false);
    }
  }

  onDropped(): void {
    this.end(false);
  }

  onBroken(): void {
    this.end(false);
  }

  onEnd(): void {
    this.end(false);
  }

  onRead(): void {}

  onReadEnd(): void {}

  onStderr(): void {}

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
