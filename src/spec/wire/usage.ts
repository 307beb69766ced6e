/**
 * The tokens of one run. A count that was not reported is absent, never zero. `inputTokens` includes the tokens read from and
 * written to caches; the cache counts are parts of it.
 */
export type Usage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input plus output; absent while either is unknown. */
  readonly totalTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** True when the counts are estimated (`estimateTokens`) because the CLI reported none. */
  readonly estimated: boolean;
  /** `turn`: this run alone. `thread`: the CLI reported only the total of the whole session, and what it was before this run is unknown. */
  readonly scope: "turn" | "thread";
};

/** An estimate of the tokens in a text with this many characters. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** The usage of a turn whose CLI reported none; the input may be unknown. */
export function estimateUsage(answer: string, inputTokens: number | undefined): Usage {
  const outputTokens = estimateTokens(answer.length);
  const input = inputTokens === undefined ? {} : { inputTokens, totalTokens: inputTokens + outputTokens };
  return { ...input, outputTokens, estimated: true, scope: "turn" };
}

/** What a CLI itself has counted for one of its sessions so far. */
export type RunningTotals = { readonly usage?: Usage; readonly costUsd?: number };

/**
 * The totals of a session after a turn, and those with which the turn's process began. The next process begins with one of them: a CLI that
 * stores its totals when it exits (claude 2.1.326) loses the later ones when it is stopped by a signal.
 */
export type SessionTotals = { readonly now: RunningTotals; readonly began?: RunningTotals };

/** The counts that CLIs add up; the others follow from them. */
const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

export const ALL_COUNTS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** The totals of a session that has not begun. */
export const NO_TOTALS: RunningTotals = {};

/** False if a count or the cost is no number that can be right; the run leaves such numbers out with a warning. */
export function isSoundTotals({ usage, costUsd = 0 }: RunningTotals): boolean {
  const numbers = [costUsd, ...COUNTS.map((name) => usage?.[name] ?? 0)];
  return numbers.every((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER);
}

/**
 * The totals before a turn: the largest of those that are possible, or none, that leave room for what the turn itself has used. Undefined if
 * nothing is known of the session, unless the totals after the turn are just what the turn has used.
 */
export function totalsBefore(
  after: RunningTotals,
  possible: readonly RunningTotals[] | undefined,
  ofTurn?: Usage,
): RunningTotals | undefined {
  if (possible === undefined) return isAllOf(after, ofTurn) ? NO_TOTALS : undefined;
  const fitting = possible.filter((before) => fits(before, after, ofTurn));
  return fitting.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0] ?? NO_TOTALS;
}

/** The counts since earlier totals; never below zero. */
export function usageSince(after: Usage, before: RunningTotals): Usage {
  const counts = COUNTS.flatMap((name) => {
    const count = after[name];
    return count === undefined ? [] : [[name, Math.max(0, count - (before.usage?.[name] ?? 0))] as const];
  });
  const found: Partial<Record<(typeof COUNTS)[number], number>> = Object.fromEntries(counts);
  const { inputTokens, outputTokens } = found;
  const hasTotal = inputTokens !== undefined && outputTokens !== undefined;
  return { ...found, ...(hasTotal && { totalTokens: inputTokens + outputTokens }), estimated: after.estimated, scope: "turn" };
}

/** A count that only one of them has is taken from that one. */
export function addUsage(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const counts = ALL_COUNTS.flatMap((name) => {
    const reported = [left[name], right[name]].filter((count) => count !== undefined);
    return reported.length === 0 ? [] : [[name, reported.reduce((sum, count) => sum + count, 0)] as const];
  });
  return {
    ...Object.fromEntries(counts),
    estimated: left.estimated || right.estimated,
    scope: left.scope === "thread" ? left.scope : right.scope,
  };
}

/** False if all tokens are zero or unknown. */
export function hasTokens({ inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 }: Usage): boolean {
  return inputTokens !== 0 || outputTokens !== 0 || cacheReadTokens !== 0;
}

/** What the messages of a turn have used, and how much of it was reported when the turn was parked. */
export class SpentUsage {
  private seen: Usage | undefined;
  private parked: Usage | undefined;

  /** What all messages have used; undefined before the first. */
  get all(): Usage | undefined {
    return this.seen;
  }

  add(usage: Usage): void {
    this.seen = addUsage(this.seen, usage);
  }

  /** The usage since the turn began or was parked last; undefined if there was no message since. */
  report(): UsageReport | undefined {
    const { seen, parked } = this;
    if (seen === undefined || seen === parked) return undefined;
    return { type: "usage", usage: parked === undefined ? seen : usageSince(seen, { usage: parked }) };
  }

  /** Reports the usage of a turn that is parked; its end does not count it again. */
  park(): { readonly events: readonly UsageReport[] } {
    const report = this.report();
    this.parked = this.seen;
    return { events: report === undefined ? [] : [report] };
  }

  /** The usage of the whole turn without what was reported when it was parked. */
  withoutParked(usage: Usage): Usage {
    return this.parked === undefined ? usage : { ...usageSince(usage, { usage: this.parked }), scope: usage.scope };
  }
}

type UsageReport = { readonly type: "usage"; readonly usage: Usage };

/** The cost since earlier totals, without the rounding errors of the difference; never below zero. */
export function costSince(afterUsd: number, { costUsd: beforeUsd = 0 }: RunningTotals): number {
  return Math.max(0, Number((afterUsd - beforeUsd).toFixed(10)));
}

function isAllOf({ usage }: RunningTotals, ofTurn: Usage | undefined): boolean {
  if (usage === undefined || ofTurn === undefined) return false;
  return COUNTS.every((name) => usage[name] === undefined || ofTurn[name] === undefined || usage[name] === ofTurn[name]);
}

/** Without token totals the cost decides, and a turn that used tokens was not free. */
function fits(before: RunningTotals, after: RunningTotals, ofTurn: Usage | undefined): boolean {
  const { usage: was, costUsd: cost = 0 } = before;
  const { usage: is, costUsd = Number.POSITIVE_INFINITY } = after;
  if (is === undefined || was === undefined) return cost === 0 || cost < costUsd;
  const hasRoom = COUNTS.every(
    (name) => (is[name] ?? 0) - (was[name] ?? 0) >= (is[name] === undefined ? 0 : (ofTurn?.[name] ?? 0)),
  );
  return hasRoom && cost <= costUsd + 1e-9;
}

function sizeOf({ usage, costUsd = 0 }: RunningTotals): number {
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) + costUsd / 1e6;
}
