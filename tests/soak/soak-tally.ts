/** A call that differs from its prediction. */
export type Disagreement = { readonly call: number; readonly what: readonly string[]; readonly about: string };

/** The counts of a soak so far. */
export class SoakTally {
  calls = 0;
  /** Calls that were left out because an earlier call, on which they depend, differed. */
  skipped = 0;
  processes = 0;
  readonly ends: Map<string, number> = new Map();
  /** Failures that were followed by another attempt. */
  readonly overcome: Map<string, number> = new Map();
  readonly disagreements: Disagreement[] = [];
  private readonly onCall: (tally: SoakTally) => void;

  constructor(onCall: (tally: SoakTally) => void = () => {}) {
    this.onCall = onCall;
  }

  /** Records a finished call. */
  note(end: string, processes: Readonly<Record<string, number>>, overcome: readonly string[] = []): void {
    this.calls += 1;
    for (const started of Object.values(processes)) this.processes += started;
    increase(this.ends, end);
    for (const code of overcome) increase(this.overcome, code);
    this.onCall(this);
  }

  /** Records the differences of a call, if any. */
  judge(call: number, what: readonly string[], about: () => object): boolean {
    if (what.length === 0) return true;
    this.disagreements.push({ call, what, about: JSON.stringify(about()) });
    return false;
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
