/** What one request to a model cost; the input includes the tokens that were read from a cache. */
export type Charge = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly costUsd: number;
};

/** Nothing. */
export const NOTHING: Charge = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costUsd: 0 };

/** The sum of charges. */
export function sum(charges: readonly Charge[]): Charge {
  return charges.reduce(
    (total, charge) => ({
      inputTokens: total.inputTokens + charge.inputTokens,
      outputTokens: total.outputTokens + charge.outputTokens,
      cacheReadTokens: total.cacheReadTokens + charge.cacheReadTokens,
      costUsd: total.costUsd + charge.costUsd,
    }),
    NOTHING,
  );
}

/** Which counts a line of a CLI contains. */
export type Told = "all" | "input";

/** A request to a model, as the model bills it. */
export type Entry = {
  readonly cli: string;
  /** The session or thread of the CLI that the request belongs to. */
  readonly thread: string;
  readonly charge: Charge;
  /** The run in which the request was made. */
  readonly madeIn: number;
  /** The run in which a line of the CLI told the charge; absent if no line has told it yet. */
  toldIn?: number;
  told?: Told;
  /** The CLI tells the charge later or never. */
  isKeptBack?: true;
};

/** Every request of a conversation. The runs of a conversation follow one another. */
export class Ledger {
  readonly entries: Entry[] = [];
  /** The entries of which a CLI last told the total as that of a thread; unknown of a real CLI, which may begin with less. */
  readonly totals: Map<string, readonly Entry[]> = new Map();
  run = -1;

  bill(cli: string, thread: string, charge: Charge): Entry {
    const entry: Entry = { cli, thread, charge, madeIn: this.run };
    this.entries.push(entry);
    return entry;
  }

  /** A line of a CLI tells the charges of these entries. */
  tell(entries: readonly Entry[], told: Told = "all"): void {
    for (const entry of entries) {
      if (entry.toldIn !== undefined) continue;
      entry.toldIn = this.run;
      entry.told = told;
    }
  }

  /** A line of a CLI tells the total of a thread. */
  tellThread(thread: string): void {
    const entries = this.of(thread);
    this.tell(entries);
    this.totals.set(thread, entries);
  }

  /** The entries of a thread that belong to its totals, in order. */
  of(thread: string): readonly Entry[] {
    return this.entries.filter((entry) => entry.thread === thread);
  }
}
