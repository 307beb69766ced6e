import { amountOf, type JsonObject } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import { type RunningTotals, type SessionTotals, totalsBefore, type Usage, usageSince } from "../../spec/wire/usage.ts";

/** Counts of Qwen Code, which include cached tokens in the input; undefined if all are zero or missing. */
export function readCounts(counts: JsonObject, scope: Usage["scope"]): Usage | undefined {
  const [inputTokens, outputTokens, cacheReadTokens] = NAMES.map((name) => amountOf(counts[name]));
  const usage: Usage = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(inputTokens !== undefined && outputTokens !== undefined && { totalTokens: inputTokens + outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    estimated: false,
    scope,
  };
  return hasCounts(usage) ? usage : undefined;
}

/** The usage of a turn: the totals of its session minus those before it, if these are known, and minus what was reported when it was parked. */
export function usageOfTurn(
  totals: Usage | undefined,
  possible: readonly RunningTotals[] | undefined,
  messages: MessageUsage,
): { readonly usage?: Usage; readonly totals?: SessionTotals } {
  if (totals === undefined) return {};
  const now = { usage: totals };
  const began = totalsBefore(now, possible);
  const ofTurn = began === undefined ? totals : usageSince(totals, began);
  const reported = messages.reported();
  const usage = reported === undefined ? ofTurn : { ...usageSince(ofTurn, { usage: reported }), scope: ofTurn.scope };
  return { ...(hasCounts(usage) && { usage }), totals: { now } };
}

export function reportOf(usage: Usage | undefined): Extract<EventDraft, { type: "usage" }> | undefined {
  return usage && { type: "usage", usage };
}

function hasCounts({ inputTokens, outputTokens, cacheReadTokens }: Usage): boolean {
  return [inputTokens, outputTokens, cacheReadTokens].some((count) => count !== undefined && count !== 0);
}

const NAMES = ["input_tokens", "output_tokens", "cache_read_input_tokens"] as const;
type Counts = Readonly<Record<(typeof NAMES)[number], number>>;
const NOTHING: Counts = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };

/** What the messages of a turn have used, and how much of it was reported when the turn was parked. */
export class MessageUsage {
  /** The counts of the open message; only one of its lines has them. */
  private open = NOTHING;
  private seen = NOTHING;
  private parked: Counts | undefined;

  note(usage: JsonObject): void {
    const counts = toCounts((name) => amountOf(usage[name]) ?? 0);
    if (NAMES.some((name) => counts[name] !== 0)) this.open = counts;
  }

  endMessage(): void {
    const { open, seen } = this;
    this.seen = toCounts((name) => seen[name] + open[name]);
    this.open = NOTHING;
  }

  /** The usage since the turn began or was parked last; undefined if nothing was counted. */
  soFar(): Usage | undefined {
    const { seen, parked = NOTHING } = this;
    return readCounts(
      toCounts((name) => seen[name] - parked[name]),
      "turn",
    );
  }

  /** Returns the same as `soFar`; what it returns does not count for the end of the turn. */
  park(): Usage | undefined {
    const usage = this.soFar();
    this.parked = this.seen;
    return usage;
  }

  /** What was reported when the turn was parked. */
  reported(): Usage | undefined {
    return this.parked && readCounts(this.parked, "turn");
  }
}

function toCounts(count: (name: keyof Counts) => number): Counts {
  return {
    input_tokens: count("input_tokens"),
    output_tokens: count("output_tokens"),
    cache_read_input_tokens: count("cache_read_input_tokens"),
  };
}
