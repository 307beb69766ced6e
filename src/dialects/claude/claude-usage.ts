import { amountOf, defined, type JsonObject, objectOf } from "../../spec/json.ts";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import {
  addUsage,
  costSince,
  type RunningTotals,
  type SessionTotals,
  SpentUsage,
  totalsBefore,
  type Usage,
  usageSince,
} from "../../spec/wire/usage.ts";

/** What the line that ends a turn says about usage and cost, and the totals after it. */
export type TurnReport = { readonly events: readonly EventDraft[]; readonly totals?: SessionTotals | undefined };

/** The tokens and the cost of a turn: the sum of the counts of its `result` lines, and the difference of the totals. */
export class ClaudeUsage {
  private readonly context: TurnContext;
  private readonly hasCost: boolean;
  /** The counts of the `result` lines. */
  private counted: Usage | undefined;
  /** The counts at the beginning of the main agent's message, which its end repeats or leaves out, and those of its complete messages. */
  private begun: JsonObject = {};
  readonly messages: SpentUsage = new SpentUsage();
  /** The totals before the run, once a `result` line has shown which they are; undefined inside if they are unknown. */
  private began: { readonly before: RunningTotals | undefined } | undefined;

  constructor(context: TurnContext, hasCost: boolean) {
    this.context = context;
    this.hasCost = hasCost;
  }

  beginMessage(event: JsonObject): void {
    this.begun = objectOf(objectOf(event["message"])?.["usage"]) ?? {};
  }

  endMessage(event: JsonObject): void {
    this.messages.add(readApiCounts({ ...this.begun, ...objectOf(event["usage"]) }));
  }

  /** Reads a `result` line. */
  read(line: JsonObject): TurnReport {
    const counts = readCounts(line);
    if (counts !== undefined) this.counted = addUsage(this.counted, counts);
    const now = readTotals(line, this.hasCost);
    if (now.usage === undefined && now.costUsd === undefined && counts === undefined) return { events: [] };
    const { processTotals, totalsBefore: known, continuesUnknown } = this.context;
    const possible = known ?? (continuesUnknown === true ? undefined : []);
    // A line without counts may follow messages that had them.
    const spent = this.counted ?? this.messages.all;
    this.began ??= processTotals === undefined ? { before: totalsBefore(now, possible, spent) } : { before: processTotals.now };
    const { before } = this.began;
    const ofTurn = this.counted ?? usageOf(now, before, spent);
    const usage = ofTurn && this.messages.withoutParked(ofTurn);
    const cost = costOf(now, before);
    const isUnknown = usage === undefined && !((cost.costUsd ?? 0) > 0);
    const began = processTotals === undefined ? before : processTotals.began;
    // A turn that never reached the session, and an interrupted one, print zeros.
    const isCounted = now.usage !== undefined || (now.costUsd ?? 0) > 0;
    return {
      events: isUnknown ? [] : [{ type: "usage", usage: usage ?? { estimated: false, scope: "turn" }, ...cost }],
      ...(isCounted && { totals: { now, ...(began !== undefined && { began }) } }),
    };
  }
}

/**
 * The tokens of a `result` line, without those of sub-agents. If all counts are zero they are unknown: an interrupted turn that used tokens
 * prints zeros (fixture killed-sigint). One that the CLI's budget ended lacks the last message (2.1.197, 2.1.326).
 */
function readCounts(line: JsonObject): Usage | undefined {
  return line["subtype"] === "error_max_budget_usd" ? undefined : knownCounts(readApiCounts(objectOf(line["usage"]) ?? {}));
}

const MODEL_COUNTS = ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens"] as const;

/**
 * The totals in a `result` line: all requests of the process and, since a version between 2.1.197 and 2.1.326, of the earlier processes of
 * the session that exited by themselves.
 */
function readTotals(line: JsonObject, hasCost: boolean): RunningTotals {
  const models = Object.values(objectOf(line["modelUsage"]) ?? {}).map((model) =>
    readApiCounts(objectOf(model) ?? {}, MODEL_COUNTS),
  );
  const [first, ...others] = models;
  const usage = first && knownCounts(others.reduce((sum, counts) => addUsage(sum, counts), first));
  const costUsd = hasCost ? amountOf(line["total_cost_usd"]) : undefined;
  return { ...defined({ usage, costUsd }) };
}

function knownCounts(usage: Usage): Usage | undefined {
  return [usage.inputTokens, usage.outputTokens].some((count) => count !== 0) ? usage : undefined;
}

/** A line without counts has them in its totals (fixture error-stall); if those before are unknown, the messages had them. */
function usageOf({ usage }: RunningTotals, before: RunningTotals | undefined, seen: Usage | undefined): Usage | undefined {
  if (before === undefined) return seen;
  const since = usage && usageSince(usage, before);
  return since?.totalTokens === 0 ? undefined : since;
}

function costOf({ costUsd }: RunningTotals, before: RunningTotals | undefined): { costUsd?: number; costScope?: "thread" } {
  if (costUsd === undefined) return {};
  return { costUsd: costSince(costUsd, before ?? {}), ...(before === undefined && { costScope: "thread" }) };
}

const API_COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"] as const;

/** The counts of one message in the form of Anthropic's API, in which cached tokens are no part of the input; a missing count is zero. */
export function readApiCounts(line: JsonObject, names: readonly [string, string, string, string] = API_COUNTS): Usage {
  const [fresh = 0, cacheWriteTokens = 0, cacheReadTokens = 0, outputTokens = 0] = names.map((name) => amountOf(line[name]));
  const inputTokens = fresh + cacheWriteTokens + cacheReadTokens;
  const totalTokens = inputTokens + outputTokens;
  return { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, estimated: false, scope: "turn" };
}
