import type { TurnReport } from "../../dialects/claude/claude-usage.ts";
import { type CountNames, readCounts } from "../../dialects/kit/counts.ts";
import type { JsonObject } from "../../spec/json.ts";
import { hasTokens, type RunningTotals, SpentUsage, totalsBefore, type Usage, usageSince } from "../../spec/wire/usage.ts";

const NAMES: CountNames = {
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  cacheReadTokens: "cache_read_input_tokens",
};

/** Counts of Qwen Code, which include cached tokens in the input; undefined if all are zero or missing. */
export function readQwenCounts(counts: JsonObject | undefined, scope: Usage["scope"]): Usage | undefined {
  const usage = readCounts(counts, NAMES, scope);
  return usage !== undefined && hasTokens(usage) ? usage : undefined;
}

/** The usage of a turn: the totals of its session minus those before it, if these are known, and minus what was reported when it was parked. */
export function reportTurn(
  now: Usage | undefined,
  possible: readonly RunningTotals[] | undefined,
  { spent }: MessageUsage,
): TurnReport {
  if (now === undefined) return { events: [] };
  const began = totalsBefore({ usage: now }, possible);
  const usage = spent.withoutParked(began === undefined ? now : usageSince(now, began));
  return { events: hasTokens(usage) ? [{ type: "usage", usage }] : [], totals: { now: { usage: now } } };
}

const NOTHING = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };

/** What the messages of a turn have used. */
export class MessageUsage {
  readonly spent: SpentUsage = new SpentUsage();
  /** The counts of the open message; only one of its lines has them. */
  private open: Usage | undefined;

  note(counts: JsonObject): void {
    this.open = readQwenCounts({ ...NOTHING, ...counts }, "turn") ?? this.open;
  }

  endMessage(): void {
    if (this.open !== undefined) this.spent.add(this.open);
    this.open = undefined;
  }
}
