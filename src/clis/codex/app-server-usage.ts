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

  /** The totals before the turn are those of its first report without that request. */
  read(report: JsonObject): void {
    this.total = objectOf(report["total"]);
    this.before ??= readUsage(this.total, readUsage(objectOf(report["last"]), undefined, NAMES), NAMES);
  }

  /** The tokens of all requests of the turn; undefined if none was reported. */
  ofTurn(): Usage | undefined {
    return readUsage(this.total, this.before, NAMES);
  }
}
