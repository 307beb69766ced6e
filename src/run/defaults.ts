import type { RunMode, Timeouts } from "../spec/request.ts";

/** A longer line is dropped and reported. */
export const DEFAULT_LINE_BYTES: number = 64 * 1024 * 1024;

/** More unread output than this goes to a file until it is read. */
export const DEFAULT_SPILL_BYTES: number = 16 * 1024 * 1024;

/** Clocks that run unless the request sets others: an agent may work for hours but not in silence. */
export const DEFAULT_TIMEOUTS: Readonly<Record<RunMode, Timeouts>> = {
  completion: { idleMs: 120_000, backgroundMs: 120_000, totalMs: 600_000 },
  agent: { idleMs: 600_000, backgroundMs: 300_000 },
};
