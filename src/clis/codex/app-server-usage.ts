import { type JsonObject, objectOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import { NO_TOTALS, type Usage, usageSince } from "../../spec/wire/usage.ts";
import { type CodexUsage, readUsage, type UsageNames } from "./turn-end.ts";

const NAMES: UsageNames = {
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
  /** The counts of the requests since the turn was parked last, and those that it reported when it was parked. */
  private unreported: Usage | undefined;
  private reported: Usage | undefined;

  /** The totals before the turn are those of its first report without that request. */
  read(report: JsonObject): void {
    this.total = readUsage(objectOf(report["total"]), NAMES);
    const last = readUsage(objectOf(report["last"]), NAMES);
    if (this.total !== undefined) this.before ??= last === undefined ? this.total : usageSince(this.total, { usage: last });
  }

  /** One request to the model is complete; Codex reports this only for threads with host tools. */
  sawResponse(counts: JsonObject): void {
    const usage = readUsage(counts, NAMES);
    if (usage !== undefined) this.unreported = sumOf(this.unreported, usageSince(usage, NO_TOTALS));
  }

  /** The tokens since the turn began or was parked last; they do not count for its end. */
  park(): Usage | undefined {
    const usage = this.unreported;
    this.unreported = undefined;
    if (usage !== undefined) this.reported = sumOf(this.reported, usage);
    return usage;
  }

  report(): Extract<EventDraft, { type: "usage" }> | undefined {
    const { usage } = this.ofTurn();
    return usage && { type: "usage", usage };
  }

  /** The tokens of all requests of the turn that were not reported before, and the totals of the thread. */
  ofTurn(): CodexUsage {
    const { before, reported, total } = this;
    if (total === undefined || before === undefined) return {};
    return {
      usage: usageSince(total, { usage: reported === undefined ? before : sumOf(before, reported) }),
      totals: { now: { usage: total } },
    };
  }
}

function sumOf(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const counts = (Object.keys(NAMES) as (keyof UsageNames)[]).map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]);
  const totalTokens = (left.totalTokens ?? 0) + (right.totalTokens ?? 0);
  return { ...right, ...Object.fromEntries(counts), totalTokens };
}
