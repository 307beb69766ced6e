import { createHash } from "node:crypto";
import { findProcess, listProcesses, NO_MARKERS, type ProcessEntry, readLocksLimit, systemTime } from "./process-table.ts";
import { sendGroupSignal } from "./signals.ts";

/** The process that a run started, as the leader of a new session. */
export type Root = {
  readonly pid: number;
  /** Without it, the caller knows that the pid was not reused as long as the root has not exited. */
  readonly startTime?: number;
  /** When it was started, by `performance.now()` of this process; now by default. */
  readonly startedAt?: number;
  readonly hasExited?: boolean;
};

/** Start times are given in units of up to a second. */
const START_TIME_MS = 1000;

/**
 * The processes of one run: the root, all processes with the run's marker or mark, their descendants, and all processes of their
 * sessions. Every look remembers them by pid and start time, so that where there is no mark a process is still known after it has
 * lost its marker, its parent or its session.
 */
export class RunTree {
  readonly run: string;
  private readonly mark: LimitMark | undefined;
  private root: Root | undefined;
  private readonly startedAt: number;
  private hasRootExited: boolean;
  /** The start time of each process that was alive at the last look, by pid. */
  private known = new Map<number, number>();
  /** The sessions whose processes all belong to the run. */
  private readonly sessions = new Set<number>();

  constructor(run: string, root?: Root) {
    this.run = run;
    this.mark = markOf(run);
    this.root = root;
    this.startedAt = root?.startedAt ?? performance.now();
    this.hasRootExited = root?.hasExited === true;
    if (root !== undefined) this.sessions.add(root.pid);
  }

  /** Reports that the root has exited: from now on another process may have its pid. */
  sawRootExit(): void {
    this.hasRootExited = true;
  }

  /** Undefined if the root has exited. */
  rootPid(): number | undefined {
    return this.hasRootExited ? undefined : this.root?.pid;
  }

  /** Kills the root's group without listing processes. Does nothing if the pid may belong to another process. */
  killRootGroup(): void {
    const pid = this.rootPid();
    const startTime = pid === undefined ? undefined : findProcess(pid)?.startTime;
    if (pid !== undefined && startTime !== undefined && startTime === this.root?.startTime) sendGroupSignal(pid, "SIGKILL");
  }

  /** The living processes of the run in a list that is not older than `since`. */
  look(since: number): readonly ProcessEntry[] {
    const all = snapshot(since);
    return all === undefined ? this.lookAtGroup() : this.lookAtAll(all);
  }

  /** Remembers the processes of the run in a quick list that is not older than `since`. No signal is sent by such a list. */
  lookQuickly(since: number): void {
    const all = quickSnapshot(since);
    if (all === undefined) this.lookAtGroup();
    else this.lookAtAll(all);
  }

  /** Undefined if the root has exited. */
  rootOf(members: readonly ProcessEntry[]): ProcessEntry | undefined {
    return members.find(({ pid }) => pid === this.rootPid());
  }

  /**
   * True if the root's group still has a process. A look may find none: in the group each process may start the next one and exit,
   * and a zombie is in the group until its parent has asked for it.
   */
  hasGroup(): boolean {
    const group = this.root?.pid ?? 0;
    return this.sessions.has(group) && sendGroupSignal(group, 0);
  }

  /** True if all processes in the group of this member belong to the run. */
  ownsGroupOf({ session }: ProcessEntry): boolean {
    return this.sessions.has(session);
  }

  private lookAtAll(all: ProcessList): readonly ProcessEntry[] {
    this.checkRoot(all);
    const members = new Map<number, ProcessEntry>();
    for (const entry of all.values()) {
      const isKnown = this.known.get(entry.pid) === entry.startTime;
      if (isKnown || entry.run === this.run || this.isMarked(entry) || this.isRoot(entry)) members.set(entry.pid, entry);
    }
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      this.addSessions(members, all);
      for (const entry of all.values())
        if (members.has(entry.parentPid) || this.sessions.has(entry.session)) members.set(entry.pid, entry);
    }
    this.known = new Map([...members.values()].map(({ pid, startTime }) => [pid, startTime]));
    const alive = new Set([...members.values()].map(({ session }) => session));
    for (const session of this.sessions) if (!alive.has(session) && session !== this.root?.pid) this.sessions.delete(session);
    return [...members.values()];
  }

  /** A later process with the root's pid is not the root, and its session is not the run's. */
  private checkRoot(all: ProcessList): void {
    const { root } = this;
    const found = root === undefined ? undefined : all.get(root.pid);
    if (root === undefined || found === undefined) return;
    if (this.hasRootExited || (root.startTime ?? found.startTime) !== found.startTime) this.sessions.delete(root.pid);
    else this.root = { ...root, startTime: found.startTime };
  }

  private isRoot({ pid, startTime }: ProcessEntry): boolean {
    return pid === this.rootPid() && startTime === this.root?.startTime;
  }

  /** A process of a run inside this run has a smaller limit. Another run whose mark is the same by chance has another marker. */
  private isMarked({ locks, run }: ProcessEntry): boolean {
    if (this.mark === undefined || locks === undefined) return false;
    if (locks === this.mark.limit) return run === undefined || run === this.run;
    return locks >= this.mark.least && locks < this.mark.limit;
  }

  /**
   * Adds the sessions that a member created, and those whose creator has exited. A creator that is alive and no member is another
   * program that only passes the marker on (a job scheduler does), and so is one with a process older than the root. Session 0
   * was created outside of this pid namespace.
   */
  private addSessions(members: ReadonlyMap<number, ProcessEntry>, all: ProcessList): void {
    for (const { session } of members.values()) {
      if (session === 0 || this.sessions.has(session)) continue;
      const isOwn = all.has(session) ? members.has(session) : this.isYoungerThanRoot(session, all);
      if (isOwn) this.sessions.add(session);
    }
  }

  private isYoungerThanRoot(session: number, all: ProcessList): boolean {
    const earliest = this.root?.startTime ?? systemTime() - (performance.now() - this.startedAt) - START_TIME_MS;
    for (const entry of all.values()) if (entry.session === session && entry.startTime < earliest) return false;
    return true;
  }

  /**
   * If processes cannot be listed, only the root's group is known. Its number is not given to another process while the group has
   * a process. A group that was once found empty is not tested again.
   */
  private lookAtGroup(): readonly ProcessEntry[] {
    const pid = this.root?.pid ?? 0;
    if (!this.sessions.has(pid)) return [];
    if (sendGroupSignal(pid, 0))
      return [{ ...NO_MARKERS, pid, parentPid: 0, group: pid, session: pid, startTime: 0, run: this.run }];
    this.sessions.delete(pid);
    return [];
  }
}

/** True if a list that is not older than `since` has a process in the middle of exec, which may be of any run. */
export function isAnyStarting(since: number): boolean {
  for (const { mayBeStarting } of snapshot(since)?.values() ?? []) if (mayBeStarting) return true;
  return false;
}

type ProcessList = ReadonlyMap<number, ProcessEntry>;

type Snapshot = { readonly at: number; readonly list: ProcessList | undefined };
let latest: Snapshot = { at: Number.NEGATIVE_INFINITY, list: undefined };
let latestQuick: Snapshot = latest;

/** The list of all processes; undefined if they cannot be listed. Concurrent calls share one list if it is not older than `since`. */
function snapshot(since: number): ProcessList | undefined {
  if (latest.at < since) latest = takeSnapshot(false);
  return latest.list;
}

function quickSnapshot(since: number): ProcessList | undefined {
  if (latestQuick.at < since) latestQuick = takeSnapshot(true);
  return latestQuick.list;
}

function takeSnapshot(isQuick: boolean): Snapshot {
  const at = performance.now();
  const entries = listProcesses(isQuick);
  return { at, list: entries && new Map(entries.map((entry) => [entry.pid, entry])) };
}

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
  hostLimit ??= { limit: process.platform === "linux" ? readLocksLimit("self") : undefined };
  return hostLimit.limit === undefined ? undefined : markBelow(hostLimit.limit, run);
}

/** The limit of this process; it does not change. */
let hostLimit: { readonly limit: bigint | "unlimited" | undefined } | undefined;

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
