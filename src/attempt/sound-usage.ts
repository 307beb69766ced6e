import { COUNTS } from "../run/add-usage.ts";
import type { EventDraft } from "../spec/wire/events.ts";

type UsageDraft = Extract<EventDraft, { type: "usage" }>;

/** A usage report without the numbers that cannot be right, and the names of those. */
export type SoundUsage = {
  /** Undefined if no number is left. */
  readonly draft: UsageDraft | undefined;
  readonly hasCounts: boolean;
  readonly dropped: readonly string[];
};

/** Leaves out the counts and the cost that are negative, infinite, not a number or too large to be exact. */
export function soundUsage(draft: UsageDraft): SoundUsage {
  const { usage, costUsd } = draft;
  const numbers = [...COUNTS.map((name) => [name, usage[name]] as const), ["costUsd", costUsd] as const];
  const dropped = numbers.filter(([, value]) => value !== undefined && !isSound(value)).map(([name]) => name);
  const hasCounts = COUNTS.some((name) => usage[name] !== undefined && !dropped.includes(name));
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
