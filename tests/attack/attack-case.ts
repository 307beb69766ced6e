/** What a host is asked to do; the same job always makes the same attack. */
export type AttackJob = { readonly name: string; readonly seed: number };

/** What came of a job: the broken rules, and counts for the summary. */
export type Verdict = { readonly problems: readonly string[]; readonly counts: Readonly<Record<string, number>> };

/** A kind of attack: its cases by name (`subject/…`), and how one is made and judged. */
export type Subject = {
  readonly name: string;
  /** Its part of the time, relative to those of the others. */
  readonly share: number;
  /** How many of its cases may run side by side. */
  readonly atOnce: number;
  /** How long a case may take before its host counts as frozen. */
  readonly deadlineMs: number;
  /** The cases whose name begins so, those first that matter most when the time is short. */
  select(beginning: string, seed: number): readonly string[];
  run(job: AttackJob): Promise<Verdict>;
};
