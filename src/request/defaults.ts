import type { WarmOptions } from "../spec/client-options.ts";
import type { RunMode, Timeouts } from "../spec/request.ts";

/** Longer lines are dropped with a warning. */
export const DEFAULT_LINE_BYTES: number = 64 * 1024 * 1024;

/** Unread events above this size wait in a file. */
export const DEFAULT_SPILL_BYTES: number = 16 * 1024 * 1024;

/** The default timeouts: an agent may work for hours, but not without output. */
export const DEFAULT_TIMEOUTS: Readonly<Record<RunMode, Timeouts>> = {
  completion: { idleMs: 120_000, backgroundMs: 120_000, toolMs: 300_000, totalMs: 600_000 },
  agent: { idleMs: 600_000, backgroundMs: 300_000, toolMs: 300_000 },
};

export const DEFAULT_WARM: Required<WarmOptions> = {
  processes: 4,
  idleMs: 300_000,
  totalBytes: 2 * 1024 ** 3,
  processBytes: 768 * 1024 ** 2,
  parked: 8,
  parkedMs: 300_000,
  conversations: 2,
  conversationMs: 60_000,
};
