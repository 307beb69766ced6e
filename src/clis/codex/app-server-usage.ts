import { objectOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Usage } from "../../spec/usage.ts";
import { readUsage, type UsageNames } from "./turn-end.ts";

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
  private total: JsonObject | undefined;
  /** The counts of the requests since the turn was parked last, and those that it reported when it was parked. */
  private unreported: Usage | undefined;
  private reported: Usage | undefined;

  /** The totals before the turn are those of its first report without that request. */
  read(report: JsonObject): void {
    this.total = objectOf(report["total"]);
    this.before ??= readUsage(this.total, readUsage(objectOf(report["last"]), undefined, NAMES), NAMES);
  }

  /** One request to the model is complete; Codex reports this only for threads with host tools. */
  sawResponse(counts: JsonObject): void {
    const usage = readUsage(counts, NONE, NAMES);
    if (usage !== undefined) this.unreported = sumOf(this.unreported, usage);
  }

  /** The tokens since the turn began or was parked last; they do not count for its end. */
  park(): Usage | undefined {
    const usage = this.unreported;
    this.unreported = undefined;
    if (usage !== undefined) this.reported = sumOf(this.reported, usage);
    return usage;
  }

  /** The tokens of all requests of the turn that were not reported before; undefined if none was. */
  ofTurn(): Usage | undefined {
    const before = this.before === undefined || this.reported === undefined ? this.before : sumOf(this.before, this.reported);
    return readUsage(this.total, before, NAMES);
  }
}

const NONE: Partial<Usage> = {};

function sumOf(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const counts = (Object.keys(NAMES) as (keyof UsageNames)[]).map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]);
  const totalTokens = (left.totalTokens ?? 0) + (right.totalTokens ?? 0);
  return { ...right, ...Object.fromEntries(counts), totalTokens };
}
