import type { PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { AttemptStart, EventDraft, Notice } from "../spec/wire/events.ts";
import { ALL_COUNTS, type SessionTotals, type Usage } from "../spec/wire/usage.ts";
import type { TurnBaseline, WireStep, WireTurn } from "../spec/wire/wire.ts";

/** The request with what its run may still spend, for a CLI that takes such a limit. */
export function withBudgetLeft(request: PromptRequest, { budgetLeft }: PartContext): PromptRequest {
  const { budget: _, ...rest } = request;
  const left = budgetLeft?.();
  return left === undefined ? rest : { ...rest, budget: left };
}

/** The warning about a budget that cannot stop an agent before its end. */
export function budgetNotices(
  { label, traits, transports }: Provider,
  { mode, budget = {} }: PromptRequest,
  transport: AttemptStart["transport"],
): readonly Notice[] {
  if (mode !== "agent") return [];
  const { wire, limitsCost } = transports[transport] ?? transports.spawn;
  const isBlind =
    (budget.tokens !== undefined && wire.countsSteps === undefined) ||
    (budget.usd !== undefined && traits.cost && limitsCost !== true && wire.countsSteps !== "cost");
  const message = `${label} reports what an agent has used at its end only, so the budget stops no run inside; it holds between runs.`;
  return isBlind ? [{ code: "budget-between-runs", message }] : [];
}

/** After the result of a tool the CLI asks its model again, so a run with a budget reports by then what it has used. */
export function reportSpending(
  { budget }: PromptRequest,
  log: { add(draft: EventDraft): void },
  { events, asksAgain }: WireStep,
  turn: WireTurn | undefined,
): void {
  if (budget === undefined || turn?.spent === undefined) return;
  if (asksAgain !== true && !events.some(({ type }) => type === "tool-end")) return;
  const report = turn.spent();
  if (report !== undefined) log.add(report);
}

type Counting = {
  readonly host: Pick<RunHost, "totals">;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: Pick<PartContext, "isSessionTurn">;
};

/** What the CLI may have counted before the turn. A turn of a stored session has its record read before. */
export function baselineOf({ host: { totals }, provider, request, context }: Counting): TurnBaseline {
  if (context.isSessionTurn !== true) totals.learnStored(provider.id, request);
  return totals.before(provider.id, request);
}

export function noteTotals(
  { host, provider, request, context }: Counting,
  log: { readonly sessionId: string | undefined; facts(): { readonly usage: Usage | undefined } },
  totals: SessionTotals | undefined,
): void {
  const { sessionId: session } = log;
  host.totals.note(provider.id, request, { session, totals, usage: log.facts().usage });
  const isContinued = request.session !== undefined && "resume" in request.session;
  if (session !== undefined && isContinued && context.isSessionTurn !== true) host.totals.share(provider.id, session);
}

type UsageDraft = Extract<EventDraft, { type: "usage" }>;

/** A usage report without the numbers that cannot be right, and the names of those. */
type SoundUsage = {
  /** Undefined if no number is left. */
  readonly draft: UsageDraft | undefined;
  readonly hasCounts: boolean;
  readonly dropped: readonly string[];
};

/** Leaves out the counts and the cost that are negative, infinite, not a number or too large to be exact. */
export function soundUsage(draft: UsageDraft): SoundUsage {
  const { usage, costUsd } = draft;
  const numbers = [...ALL_COUNTS.map((name) => [name, usage[name]] as const), ["costUsd", costUsd] as const];
  const dropped = numbers.filter(([, value]) => value !== undefined && !isSound(value)).map(([name]) => name);
  const hasCounts = ALL_COUNTS.some((name) => usage[name] !== undefined && !dropped.includes(name));
  if (dropped.length === 0) return { draft, hasCounts, dropped };
  const left = Object.fromEntries(Object.entries(usage).filter(([name]) => !dropped.some((other) => other === name)));
  const { costUsd: _, ...rest } = draft;
  const hasCost = costUsd !== undefined && !dropped.includes("costUsd");
  const sound = { ...rest, usage: { ...left, estimated: usage.estimated, scope: usage.scope }, ...(hasCost && { costUsd }) };
  return { draft: hasCounts || hasCost ? sound : undefined, hasCounts, dropped };
}

function isSound(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
