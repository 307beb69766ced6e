import type { CallersNames } from "../host-tools/native-tools.ts";
import type { Channel, ParkedTurn, ParkReason, TurnHandle } from "../process/channel/channel.ts";
import type { WarmOptions } from "../spec/client-options.ts";
import type { HostQuestion } from "../spec/stream.ts";

/** A turn that a run has left on its channel, and what the run that continues it must know. */
export type KeptTurn = {
  readonly provider: string;
  /** The model that answered, if it is known. */
  readonly model?: string;
  readonly transport: "spawn" | "resident";
  /** Changes when the program, its login or the environment is replaced. */
  readonly identity: string;
  readonly turn: ParkedTurn;
  /** The calls that the CLI waits for: the ids that the caller knows, with those of the CLI. */
  readonly calls: ReadonlyMap<string, string>;
  /** The last text of its answer. */
  readonly text: string;
  /** The bridge by which its calls come, if they do not come by its wire. */
  readonly bridge?: TurnBridge | undefined;
  /** True if the conversation was sent to the CLI as the text of a thread. */
  readonly isThread?: boolean;
  /** The session that the turn belongs to, as the CLI names it. */
  readonly session?: string | undefined;
};

/** Host tools that reach a turn by a bridge, beside its wire. */
export type TurnBridge = {
  readonly callers: CallersNames;
  /** Gets a turn with its channel when an attempt begins or continues it, and a way to ask the attempt; returns the turn that the attempt uses. */
  readonly hold: (handle: TurnHandle, channel: Channel, ask: (question: HostQuestion) => void) => TurnHandle;
};

/** How long a session stays loaded after its turn; other processes wait for it (ask/ask.ts). */
const LOADED_MS = 2_000;

type Entry = KeptTurn & { readonly keys: readonly string[]; readonly expiry: NodeJS.Timeout };

type KeptOptions = Required<Pick<WarmOptions, "parked" | "parkedMs" | "conversations" | "conversationMs">>;

/** Keeps parked turns, each by a digest of its conversation. It bounds their number and their time; a turn that is not continued is ended. */
export class KeptTurns {
  private readonly options: KeptOptions;
  /** The oldest first. */
  private readonly entries = new Set<Entry>();

  constructor(options: KeptOptions) {
    this.options = options;
  }

  /** True if a turn that waits for this may be kept at all. */
  keeps(waitsFor: ParkReason): boolean {
    return this.most(waitsFor) > 0;
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** Keeps a turn for the run that continues its conversation, which has one of these keys. */
  put(keys: readonly string[], left: KeptTurn): void {
    const expiry = setTimeout(() => this.end(entry), this.timeOf(left)).unref();
    const entry: Entry = { ...left, keys, expiry };
    this.entries.add(entry);
    this.endSurplus(entry);
  }

  /** Returns the turn of this conversation, which is then no longer kept; undefined if there is none or its process is gone. */
  take(key: string, provider: string, waitsFor: ParkReason): KeptTurn | undefined {
    for (const entry of this.entries) {
      const isOther = !entry.keys.includes(key) || entry.provider !== provider || entry.turn.waitsFor !== waitsFor;
      if (entry.turn.isOpen && isOther) continue;
      this.forget(entry);
      if (entry.turn.isOpen) return entry;
    }
    return undefined;
  }

  /** Ends the turn of a session, so that another process can have the session. */
  endSession(session: string): void {
    const id = session.toLowerCase();
    for (const entry of [...this.entries]) if (entry.session?.toLowerCase() === id) this.end(entry);
  }

  /** Ends all turns; their processes are ended by the host. */
  close(): void {
    for (const entry of [...this.entries]) this.end(entry);
  }

  private timeOf({ turn, session }: KeptTurn): number {
    const { parkedMs, conversationMs } = this.options;
    if (turn.waitsFor === "results") return parkedMs;
    return session === undefined ? conversationMs : Math.min(conversationMs, LOADED_MS);
  }

  private most(waitsFor: ParkReason): number {
    return waitsFor === "results" ? this.options.parked : this.options.conversations;
  }

  /** Ends the oldest turns, and none if it is enough already. */
  endOldest(isEnough: () => boolean): void {
    for (const oldest of this.entries) {
      if (isEnough()) return;
      this.end(oldest);
    }
  }

  /** The processes of the turns; several turns may share one. */
  pids(): readonly number[] {
    return [...this.entries].flatMap(({ turn }) => turn.channel.pid() ?? []);
  }

  /** Ends the oldest turns of this kind that are too many. */
  private endSurplus({ turn: { waitsFor }, session: added }: Entry): void {
    const isAlike = ({ turn, session }: Entry): boolean =>
      turn.waitsFor === waitsFor && (session === undefined) === (added === undefined);
    const alike = [...this.entries].filter(isAlike);
    for (const oldest of alike.slice(0, Math.max(0, alike.length - this.most(waitsFor)))) this.end(oldest);
  }

  private end(entry: Entry): void {
    this.forget(entry);
    entry.turn.end();
  }

  private forget(entry: Entry): void {
    clearTimeout(entry.expiry);
    this.entries.delete(entry);
  }
}
