import { amountOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Usage } from "../../spec/usage.ts";

/** The usage of a turn from the totals of its session, which include cached tokens in the input. */
export function readSessionUsage(totals: JsonObject, before: Usage | undefined): Usage | undefined {
  const since = (name: string, earlier: number | undefined): number | undefined => {
    const total = amountOf(totals[name]);
    return total === undefined ? undefined : Math.max(0, total - (earlier ?? 0));
  };
  const inputTokens = since("input_tokens", before?.inputTokens);
  const outputTokens = since("output_tokens", before?.outputTokens);
  const cacheReadTokens = since("cache_read_input_tokens", before?.cacheReadTokens);
  if (![inputTokens, outputTokens, cacheReadTokens].some((count) => count !== undefined && count !== 0)) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(inputTokens !== undefined && outputTokens !== undefined && { totalTokens: inputTokens + outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    estimated: false,
    scope: before === undefined ? "thread" : "turn",
  };
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

  /** Notes the counts of a line of the open message. */
  note(usage: JsonObject): void {
    const counts = toCounts((name) => amountOf(usage[name]) ?? 0);
    if (NAMES.some((name) => counts[name] !== 0)) this.open = counts;
  }

  /** Ends the open message. */
  endMessage(): void {
    const { open, seen } = this;
    this.seen = toCounts((name) => seen[name] + open[name]);
    this.open = NOTHING;
  }

  /** The usage since the turn began or was parked last; undefined if nothing was counted. */
  park(): Usage | undefined {
    const { seen, parked = NOTHING } = this;
    this.parked = seen;
    return readSessionUsage(seen, toUsage(parked));
  }

  /** The totals that do not belong to the end of the turn: those before it, and those that were reported when it was parked. */
  before(earlier: Usage | undefined): Usage | undefined {
    const { parked } = this;
    if (parked === undefined) return earlier;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = earlier ?? {};
    const before: Counts = { input_tokens: inputTokens, output_tokens: outputTokens, cache_read_input_tokens: cacheReadTokens };
    return toUsage(toCounts((name) => before[name] + parked[name]));
  }
}

function toCounts(count: (name: keyof Counts) => number): Counts {
  return {
    input_tokens: count("input_tokens"),
    output_tokens: count("output_tokens"),
    cache_read_input_tokens: count("cache_read_input_tokens"),
  };
}

function toUsage({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cache_read_input_tokens: cacheReadTokens,
}: Counts): Usage {
  return { inputTokens, outputTokens, cacheReadTokens, estimated: false, scope: "turn" };
}
