import { type CountNames, readCounts } from "../../dialects/kit/counts.ts";
import { type JsonObject, objectOf } from "../../spec/json.ts";
import {
  NO_TOTALS,
  type RunningTotals,
  type SessionTotals,
  SpentUsage,
  totalsBefore,
  type Usage,
  usageSince,
} from "../../spec/wire/usage.ts";

/** The tokens of a turn, and the totals of its thread after it. */
export type CodexUsage = { readonly usage?: Usage | undefined; readonly totals?: SessionTotals | undefined };

/** The tokens of a turn: the totals of the thread minus those before the turn, if these are known. */
export function usageOfTurn(total: Usage | undefined, possible: readonly RunningTotals[] | undefined): CodexUsage {
  if (total === undefined) return {};
  const now = { usage: total };
  const began = totalsBefore(now, possible);
  return began === undefined ? { usage: total, totals: { now } } : { usage: usageSince(total, began), totals: { now } };
}

const NAMES: CountNames = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  cacheReadTokens: "cachedInputTokens",
  cacheWriteTokens: "cacheWriteInputTokens",
  reasoningTokens: "reasoningOutputTokens",
};

/** Counts the tokens of one turn; each report has the totals of the thread and the counts of the last request to the model. */
export class TurnUsage {
  private before: Usage | undefined;
  private total: Usage | undefined;
  /** The requests of a thread with host tools. */
  readonly requests: SpentUsage = new SpentUsage();

  /** The totals before the turn are those of its first report without that request. */
  read(report: JsonObject): void {
    this.total = readCounts(objectOf(report["total"]), NAMES, "thread");
    const last = readCounts(objectOf(report["last"]), NAMES);
    if (this.total !== undefined) this.before ??= last === undefined ? this.total : usageSince(this.total, { usage: last });
  }

  /** One request to the model is complete; Codex reports this only for threads with host tools. */
  sawResponse(counts: JsonObject): void {
    const usage = readCounts(counts, NAMES);
    if (usage !== undefined) this.requests.add(usageSince(usage, NO_TOTALS));
  }

  /** The tokens of all requests of the turn that were not reported before, and the totals of the thread. */
  ofTurn(): CodexUsage {
    const { before, total } = this;
    if (total === undefined || before === undefined) return {};
    return { usage: this.requests.withoutParked(usageSince(total, { usage: before })), totals: { now: { usage: total } } };
  }
}
