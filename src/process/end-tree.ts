import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry } from "./process-table.ts";
import { sendSignal } from "./signals.ts";

/** The process that a run started. Without a start time, the caller knows that the pid was not reused. */
export type Root = { readonly pid: number; readonly startTime?: string };

/** The processes to end. */
export type Tree = {
  /** All processes with this run in their environment. */
  readonly run: string;
  /** Absent when the run's own process has ended. */
  readonly root?: Root;
};

/** The signal and the time limit of each stage; all stages together take less than three seconds. */
const STAGES: readonly (readonly [NodeJS.Signals | "first", number])[] = [
  ["first", 1000],
  ["SIGTERM", 600],
  ["SIGKILL", 1000],
];
const POLL_MS = 40;
/** How long the root's children may take to exit after it. A second signal would interrupt the cleanup of a Codex sandbox. */
const FOLLOW_MS = 200;

/**
 * Ends every process of a run: first `firstSignal` to the root alone, then SIGTERM and SIGKILL to all processes that are left.
 * Processes are found by marker and by parent and are remembered, because tools run in their own sessions and change their parent
 * when the CLI exits. With `keepAlive` the wait keeps this process alive.
 */
export async function endTree(tree: Tree, firstSignal: NodeJS.Signals, options: { readonly keepAlive: boolean }): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(tree);
  const calledAt = performance.now();
  // Calls made in the same tick start together, so that they share one process list.
  await Promise.resolve();
  let members = refresh(tree, undefined, calledAt);
  for (const [stage, waitMs] of STAGES) {
    if (members.length === 0) return;
    const root = members.find((member) => member.pid === tree.root?.pid);
    const common = { waitMs, keepAlive: options.keepAlive };
    if (stage !== "first") members = await settle(tree, members, { signal: stage, ...common });
    else if (root !== undefined) members = await settle(tree, members, { signal: firstSignal, root, ...common });
  }
}

/** Ends the processes that a run left behind after its root has exited. */
export function sweepRun(run: string): Promise<void> {
  return endTree({ run }, "SIGTERM", { keepAlive: true });
}

/** Untested. Windows has no marker scan, so a tool outside the process tree is not found. */
function endWindowsTree(tree: Tree): void {
  if (tree.root !== undefined) sendSignal(tree.root.pid, "SIGKILL");
}

/**
 * One stage. With `root` only the root gets the signal, and its children may exit after it. Without it every process gets the
 * signal, also one that is started during the stage. The stage ends when all have exited or the time is over.
 */
type Stage = {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
  readonly root?: ProcessEntry;
  readonly keepAlive: boolean;
};

async function settle(tree: Tree, before: readonly ProcessEntry[], stage: Stage): Promise<readonly ProcessEntry[]> {
  const { signal, waitMs, root, keepAlive } = stage;
  let until = Date.now() + waitMs;
  let isRootAlive = root !== undefined;
  const signalled = new Set<string>();
  let members = before;
  do {
    for (const { pid, startTime } of root === undefined ? members : [root]) {
      if (!signalled.has(`${pid} ${startTime}`)) sendSignal(pid, signal);
      signalled.add(`${pid} ${startTime}`);
    }
    await delay(POLL_MS, undefined, { ref: keepAlive });
    members = refresh(tree, members, performance.now() - POLL_MS / 4);
    if (!isRootAlive || members.some((member) => isSame(member, root))) continue;
    isRootAlive = false;
    until = Math.min(until, Date.now() + FOLLOW_MS);
  } while (members.length > 0 && Date.now() < until);
  return members;
}

/** The living processes of the run: the root, those with the marker, children of these, and those found before. */
function refresh(tree: Tree, known: readonly ProcessEntry[] | undefined, since: number): readonly ProcessEntry[] {
  const all = snapshot(since);
  if (all.length === 0) return rootAlone(tree, known);
  const members = new Map<number, ProcessEntry>();
  for (const entry of all) {
    const isMember = known === undefined ? isRoot(entry, tree.root) : known.some((member) => isSame(member, entry));
    if (isMember || entry.run === tree.run) members.set(entry.pid, entry);
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const entry of all) if (members.has(entry.parentPid)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}

/** If processes cannot be listed (no /proc, no ps), only the root is known; signal 0 tests whether it is alive. */
function rootAlone({ run, root }: Tree, known: readonly ProcessEntry[] | undefined): readonly ProcessEntry[] {
  if (root === undefined || known?.length === 0 || !sendSignal(root.pid, 0)) return [];
  return [{ pid: root.pid, parentPid: 0, startTime: "", run }];
}

function isRoot(entry: ProcessEntry, root: Root | undefined): boolean {
  return entry.pid === root?.pid && (root.startTime === undefined || root.startTime === entry.startTime);
}

function isSame(left: ProcessEntry, right: ProcessEntry | undefined): boolean {
  return left.pid === right?.pid && left.startTime === right.startTime;
}

let latest: { readonly at: number; readonly entries: readonly ProcessEntry[] } = { at: Number.NEGATIVE_INFINITY, entries: [] };

/** The list of all processes. Concurrent calls share one list if it is not older than `since`. */
function snapshot(since: number): readonly ProcessEntry[] {
  if (latest.at < since) latest = { at: performance.now(), entries: listProcesses() };
  return latest.entries;
}
