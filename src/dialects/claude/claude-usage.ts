import type { JsonObject } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import {
  costSince,
  type RunningTotals,
  type SessionTotals,
  totalsBefore,
  type Usage,
  usageSince,
} from "../../spec/wire/usage.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { addCounts, readCounts, readTotals, toUsage } from "./claude-counts.ts";
import type { ClaudeState } from "./claude-state.ts";

/** The usage of the messages so far, without their cost, which Claude Code reports at the end. */
export function readSpent({ seen, parked }: ClaudeState): Extract<EventDraft, { type: "usage" }> | undefined {
  if (seen === undefined) return undefined;
  const usage = toUsage(seen);
  return { type: "usage", usage: parked === undefined ? usage : usageSince(usage, { usage: toUsage(parked) }) };
}

/** Reports the usage of a turn that is parked; its end does not count it again. */
export function parkUsage(state: ClaudeState): WireStep {
  const report = readSpent(state);
  state.parked = state.seen;
  return { events: report === undefined ? [] : [report] };
}

/** What the `result` lines of a run say about its usage and cost, and the totals after the last of them. */
export type ClaudeReport = { readonly events: readonly EventDraft[]; readonly totals?: SessionTotals };

/**
 * Reads the counts of a `result` line: the usage of the run is the sum of the counts of its lines, and its cost the difference of the totals.
 */
export function readUsage(state: ClaudeState, line: JsonObject): ClaudeReport {
  const counts = readCounts(line);
  if (counts !== undefined) state.counted = state.counted === undefined ? counts : addCounts(state.counted, counts);
  const now = readTotals(line);
  if (now.usage === undefined && now.costUsd === undefined && counts === undefined) return { events: [] };
  const { processTotals, totalsBefore: known, continuesUnknown } = state.context;
  const possible = known ?? (continuesUnknown === true ? undefined : []);
  const own = state.counted && toUsage(state.counted);
  // A line without counts may follow messages that had them.
  const spent = own ?? (state.seen && toUsage(state.seen));
  state.began ??= processTotals === undefined ? { before: totalsBefore(now, possible, spent) } : { before: processTotals.now };
  const { before } = state.began;
  const usage = withoutParked(own ?? usageOf(now, before, spent), state);
  const cost = costOf(now, before);
  const isUnknown = usage === undefined && !((cost.costUsd ?? 0) > 0);
  const began = processTotals === undefined ? before : processTotals.began;
  return {
    events: isUnknown ? [] : [{ type: "usage", usage: usage ?? NO_COUNTS, ...cost }],
    ...(isCounted(now) && { totals: { now, ...(began !== undefined && { began }) } }),
  };
}

/** A turn that never reached the session, and an interrupted one, print zeros. */
function isCounted({ usage, costUsd = 0 }: RunningTotals): boolean {
  return usage !== undefined || costUsd > 0;
}

/** A line without counts has them in its totals (fixture error-stall); if those before are unknown, the messages had them. */
function usageOf({ usage }: RunningTotals, before: RunningTotals | undefined, seen: Usage | undefined): Usage | undefined {
  if (before === undefined) return seen;
  if (usage === undefined) return undefined;
  const since = usageSince(usage, before);
  return since.totalTokens === 0 ? undefined : since;
}

function withoutParked(usage: Usage | undefined, { parked }: ClaudeState): Usage | undefined {
  return usage === undefined || parked === undefined ? usage : usageSince(usage, { usage: toUsage(parked) });
}

function costOf({ costUsd }: RunningTotals, before: RunningTotals | undefined): { costUsd?: number; costScope?: "thread" } {
  if (costUsd === undefined) return {};
  return before === undefined
    ? { costUsd: costSince(costUsd, {}), costScope: "thread" }
    : { costUsd: costSince(costUsd, before) };
}

const NO_COUNTS: Usage = { estimated: false, scope: "turn" };
