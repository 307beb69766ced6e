import type { ParkedTurn } from "../process/channel.ts";
import type { WarmOptions } from "../spec/warm.ts";

/** A parked turn and the calls that it waits for: the ids that the caller knows, with those of the CLI. */
export type ParkedCalls = {
  readonly provider: string;
  /** The model that answered, if it is known. */
  readonly model?: string;
  readonly transport: "spawn" | "resident";
  readonly turn: ParkedTurn;
  readonly calls: ReadonlyMap<string, string>;
};

type Entry = ParkedCalls & { readonly keys: readonly string[]; readonly expiry: NodeJS.Timeout };

/**
 * Keeps turns that wait for results of host tools, each by a digest of its conversation. It bounds their number and their time; a turn
 * that is not continued is ended.
 */
export class ParkedTurns {
  private readonly options: Required<Pick<WarmOptions, "parked" | "parkedMs">>;
  /** The oldest first. */
  private readonly entries = new Set<Entry>();

  constructor(options: Required<Pick<WarmOptions, "parked" | "parkedMs">>) {
    this.options = options;
  }

  /** True if a turn may be kept at all. */
  get isOn(): boolean {
    return this.options.parked > 0;
  }

  /** Keeps a turn for the run that continues its conversation, which has one of these keys. */
  put(keys: readonly string[], parked: ParkedCalls): void {
    const expiry = setTimeout(() => this.end(entry), this.options.parkedMs).unref();
    const entry: Entry = { ...parked, keys, expiry };
    this.entries.add(entry);
    for (const oldest of this.entries) {
      if (this.entries.size <= this.options.parked) break;
      this.end(oldest);
    }
  }

  /** Returns the turn of this conversation, which is then no longer kept; undefined if there is none or its process is gone. */
  take(key: string, provider: string): ParkedCalls | undefined {
    for (const entry of this.entries) {
      if (entry.turn.isOpen && (!entry.keys.includes(key) || entry.provider !== provider)) continue;
      this.forget(entry);
      if (entry.turn.isOpen) return entry;
    }
    return undefined;
  }

  /** Ends all turns; their processes are ended by the host. */
  close(): void {
    for (const entry of [...this.entries]) this.end(entry);
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
