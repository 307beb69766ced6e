import { createHash } from "node:crypto";
import { readLocksLimit } from "./process-table.ts";

/**
 * The mark of a run: the limit of file locks (RLIMIT_LOCKS) of its processes. Linux does not enforce this limit, every process
 * inherits it whatever it does to its environment, session and parent, and only root can raise it again.
 */
export type LimitMark = {
  /** The limit of the run's processes. */
  readonly limit: bigint;
  /** The smallest limit of a process of a run inside this run. */
  readonly least: bigint;
};

/**
 * The digits of a limit, in bits. A run has random digits of one level and ones in all lower ones. A run inside it can only lower the limit,
 * so it replaces the ones of the next level, and its marks lie within those of the run outside.
 */
const LEVELS = [
  { above: 32n, bits: 30n },
  { above: 16n, bits: 16n },
  { above: 0n, bits: 16n },
] as const;

const ones = (bits: bigint): bigint => (1n << bits) - 1n;

/**
 * The mark of a run of this process; undefined if there is none: no Linux, no /proc, three runs around this process, or a limit of
 * file locks that somebody else has set.
 */
export function markOf(run: string): LimitMark | undefined {
  own ??= { limit: process.platform === "linux" ? readLocksLimit("self") : undefined };
  return own.limit === undefined ? undefined : markBelow(own.limit, run);
}

/** The limit of this process; it does not change. */
let own: { readonly limit: bigint | "unlimited" | undefined } | undefined;

/** The mark of a run whose host has this limit. */
export function markBelow(outer: bigint | "unlimited", run: string): LimitMark | undefined {
  const level = LEVELS[levelBelow(outer)];
  if (level === undefined) return undefined;
  const { above, bits } = level;
  const random = createHash("sha256").update(run).digest().readBigUInt64BE(0);
  // Neither zero, which is a limit that somebody may set, nor all ones, which is the mark of the run outside.
  const digit = (random % (ones(bits) - 1n)) + 1n;
  const fixed = outer === "unlimited" ? 0n : (outer >> (above + bits)) << (above + bits);
  const least = fixed + (digit << above);
  return { limit: least + ones(above), least };
}

function levelBelow(outer: bigint | "unlimited"): number {
  if (outer === "unlimited") return 0;
  const level = LEVELS.findIndex(({ above }) => (outer & ones(above)) === ones(above)) + 1;
  return outer > ones(32n) ? level : LEVELS.length;
}
