import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry } from "./process-table.ts";
import { sendSignal } from "./signals.ts";

/** Which processes are to end. */
export type Tree = {
  /** Everything whose environment names this run. */
  readonly run: string;
  /** The process that the run started, if it may still be there. */
  readonly rootPid?: number;
};

/** How long each stage may take; together they stay below three seconds. */
const STAGES: readonly (readonly [NodeJS.Signals | "first", number])[] = [
  ["first", 1000],
  ["SIGTERM", 600],
  ["SIGKILL", 1000],
];
const POLL_MS = 40;

/**
 * Ends every process that a run caused: the CLI's own way first, to its root alone, then SIGTERM and SIGKILL to all that is
 * left. Members are found by marker and by parent, and remembered, because tools live in sessions of their own and change
 * parents when the CLI dies.
 */
export async function endTree(tree: Tree, firstSignal: NodeJS.Signals): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(tree);
  let members = refresh(tree, []);
  for (const [stage, waitMs] of STAGES) {
    members = refresh(tree, members);
    if (members.length === 0) return;
    const root = members.find((member) => member.pid === tree.rootPid);
    if (stage !== "first") members = await settle(tree, members, { signal: stage, waitMs });
    else if (root !== undefined) members = await settle(tree, members, { signal: firstSignal, waitMs, root });
  }
}

/** Ends what a run left behind after its root had gone; the root's own way of stopping no longer matters. */
export function sweepRun(run: string): Promise<void> {
  return endTree({ run }, "SIGTERM");
}

/** Untested: there is no marker scan on Windows, so a tool that left the tree is not found. */
function endWindowsTree(tree: Tree): void {
  if (tree.rootPid !== undefined) sendSignal(tree.rootPid, "SIGKILL");
}

/** One stage: the root alone is asked to leave, or everybody is told, latecomers too; over when they are gone or time is up. */
type Stage = { readonly signal: NodeJS.Signals; readonly waitMs: number; readonly root?: ProcessEntry };

async function settle(tree: Tree, before: readonly ProcessEntry[], stage: Stage): Promise<readonly ProcessEntry[]> {
  const { signal, waitMs, root } = stage;
  const until = Date.now() + waitMs;
  const told = new Set<string>();
  let members = before;
  do {
    for (const { pid, startTime } of root === undefined ? members : [root]) {
      if (!told.has(`${pid} ${startTime}`)) sendSignal(pid, signal);
      told.add(`${pid} ${startTime}`);
    }
    await delay(POLL_MS, undefined, { ref: false });
    members = refresh(tree, members);
    if (root !== undefined && !members.some((member) => isSame(member, root))) break;
  } while (members.length > 0 && Date.now() < until);
  return members;
}

/** The members that are there now: found by marker, below a member, or known from before. */
function refresh(tree: Tree, known: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const all = listProcesses();
  const members = new Map<number, ProcessEntry>();
  for (const entry of all) {
    const isRoot = known.length === 0 && entry.pid === tree.rootPid;
    if (isRoot || entry.run === tree.run || known.some((member) => isSame(member, entry))) members.set(entry.pid, entry);
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const entry of all) if (members.has(entry.parentPid)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}

function isSame(left: ProcessEntry, right: ProcessEntry | undefined): boolean {
  return left.pid === right?.pid && left.startTime === right.startTime;
}
