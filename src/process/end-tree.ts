import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry } from "./process-table.ts";
import { sendSignal } from "./signals.ts";

/** The process that a run started; without a start time the pid is known to be still its own. */
export type Root = { readonly pid: number; readonly startTime?: string };

/** Which processes are to end. */
export type Tree = {
  /** Everything whose environment names this run. */
  readonly run: string;
  /** Left out when the run's own process is gone. */
  readonly root?: Root;
};

/** How long each stage may take; together they stay below three seconds. */
const STAGES: readonly (readonly [NodeJS.Signals | "first", number])[] = [
  ["first", 1000],
  ["SIGTERM", 600],
  ["SIGKILL", 1000],
];
const POLL_MS = 40;
/** What the root started may leave with it in this time: a second signal ends a sandbox of Codex in the middle of its tidying up. */
const FOLLOW_MS = 200;

/**
 * Ends every process that a run caused: the CLI's own way first, to its root alone, then SIGTERM and SIGKILL to all that is
 * left. Members are found by marker and by parent, and remembered, because tools live in sessions of their own and change
 * parents when the CLI dies. With `keepAlive` this process stays until it is done.
 */
export async function endTree(tree: Tree, firstSignal: NodeJS.Signals, options: { readonly keepAlive: boolean }): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(tree);
  const calledAt = performance.now();
  // Whoever else asks in this moment is heard first, so that one look serves all.
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

/** Ends what a run left behind after its root had gone; the root's own way of stopping no longer matters. */
export function sweepRun(run: string): Promise<void> {
  return endTree({ run }, "SIGTERM", { keepAlive: true });
}

/** Untested: there is no marker scan on Windows, so a tool that left the tree is not found. */
function endWindowsTree(tree: Tree): void {
  if (tree.root !== undefined) sendSignal(tree.root.pid, "SIGKILL");
}

/**
 * One stage: the root alone is asked to leave, and the others may follow it for a moment; or everybody is told, latecomers too.
 * It is over when they are gone or time is up.
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
  let isLed = root !== undefined;
  const told = new Set<string>();
  let members = before;
  do {
    for (const { pid, startTime } of root === undefined ? members : [root]) {
      if (!told.has(`${pid} ${startTime}`)) sendSignal(pid, signal);
      told.add(`${pid} ${startTime}`);
    }
    await delay(POLL_MS, undefined, { ref: keepAlive });
    members = refresh(tree, members, performance.now() - POLL_MS / 4);
    if (!isLed || members.some((member) => isSame(member, root))) continue;
    isLed = false;
    until = Math.min(until, Date.now() + FOLLOW_MS);
  } while (members.length > 0 && Date.now() < until);
  return members;
}

/** The members that are there now: the root, found by marker, below a member, or known from before. */
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

/** Where processes cannot be listed (no /proc, no ps) at least the root is known; signal 0 tells whether it is there. */
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

/** Trees that end at the same time share one look through all processes, if it is not older than each of them allows. */
function snapshot(since: number): readonly ProcessEntry[] {
  if (latest.at < since) latest = { at: performance.now(), entries: listProcesses() };
  return latest.entries;
}
