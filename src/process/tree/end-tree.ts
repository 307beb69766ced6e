import { setTimeout as delay } from "node:timers/promises";
import { isStopped, type ProcessEntry } from "./process-table.ts";
import { isAnyStarting, type RunTree } from "./run-tree.ts";
import { sendGroupSignal, sendSignal } from "./signals.ts";

/** The signal and the time limit of each stage; all stages together take less than three seconds. */
const STAGES: readonly (readonly [NodeJS.Signals | "first", number])[] = [
  ["first", 1000],
  ["SIGTERM", 600],
  ["SIGKILL", 1000],
];
const POLL_MS = 40;
/** How long the root's children may take to exit after it. A second signal would interrupt the cleanup of a Codex sandbox. */
const FOLLOW_MS = 200;
/** A guardian in the tree may live longer than all others: it ends the processes of its own host. */
const GUARDIAN_STAGES: readonly { readonly signal?: NodeJS.Signals; readonly waitMs: number }[] = [
  { waitMs: 1000 },
  { signal: "SIGKILL", waitMs: 1000 },
];
/** How many looks must find nothing: one look may miss a successor that the last process has just started. */
const QUIET_LOOKS = 2;
/** How many looks must find nothing while the root's group still exists. */
const QUIET_LOOKS_AT_GROUP = 4;
/** After this many looks no other one follows, even if a process is in the middle of exec. */
const MOST_QUIET_LOOKS = 12;
/** How often successors that a look has found are ended, by SIGKILL alone. */
const MOST_REPEATS = 4;
const REPEAT_MS = 500;

export type EndOptions = {
  /** True if a guardian looks again later. Then the wait does not keep this process alive and ends with the last process. */
  readonly isGuarded: boolean;
};

/**
 * Ends every process of a run: first `firstSignal` to the root alone, then SIGTERM and SIGKILL to all processes that are left and
 * to their groups.
 */
export async function endTree(tree: RunTree, firstSignal: NodeJS.Signals, { isGuarded }: EndOptions): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(tree);
  const calledAt = performance.now();
  // Calls made in the same tick start together, so that they share one process list.
  await Promise.resolve();
  const keepAlive = !isGuarded;
  let members = tree.look(calledAt);
  let mayHaveSuccessor = members.length > 0 || tree.hasGroup() || isAnyStarting(calledAt);
  for (const [stage, waitMs] of STAGES) {
    const root = tree.rootOf(members);
    if (stage !== "first") members = await settle(tree, members, { signal: stage, waitMs, keepAlive });
    else if (root !== undefined) members = await settle(tree, members, { signal: firstSignal, waitMs, root, keepAlive });
  }
  await endGuardians(tree, members, keepAlive);
  // A process that survives SIGKILL belongs to another user or hangs in a system call: more signals do not help.
  if (members.some(isNoGuardian)) return;
  for (let repeats = 0; mayHaveSuccessor && !isGuarded && repeats < MOST_REPEATS; repeats += 1) {
    members = await lookUntilQuiet(tree);
    mayHaveSuccessor = members.length > 0;
    await settle(tree, members, { signal: "SIGKILL", waitMs: REPEAT_MS, keepAlive });
  }
}

/** Ends the processes that a run left behind after its root has exited. */
export function sweepTree(tree: RunTree): Promise<void> {
  tree.sawRootExit();
  return endTree(tree, "SIGTERM", { isGuarded: false });
}

/** Untested. Windows has no marker scan, so a tool outside the process tree is not found. */
function endWindowsTree(tree: RunTree): void {
  const pid = tree.rootPid();
  if (pid !== undefined) sendSignal(pid, "SIGKILL");
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

async function settle(tree: RunTree, before: readonly ProcessEntry[], stage: Stage): Promise<readonly ProcessEntry[]> {
  const { signal, waitMs, root, keepAlive } = stage;
  let until = performance.now() + waitMs;
  let isRootAlive = root !== undefined;
  const signalled = new Set<string>();
  let members = before;
  if (root !== undefined) sendSignal(root.pid, signal);
  while (members.some(isNoGuardian) && performance.now() < until) {
    if (root === undefined) signalAll(tree, members.filter(isNoGuardian), signal, signalled);
    // A process that was just sent SIGSTOP may stop only after the first look at it.
    else if (isRootAlive) resumeStopped(root.pid);
    members = await lookAgain(tree, keepAlive);
    if (!isRootAlive || tree.rootOf(members) !== undefined) continue;
    isRootAlive = false;
    until = Math.min(until, performance.now() + FOLLOW_MS);
  }
  return members;
}

/**
 * Signals each process once, by its group if the whole group belongs to the run. SIGKILL is repeated, because it cannot disturb
 * and a chain of processes in which each one starts the next and exits is only ended by a signal to all of them at once.
 */
function signalAll(tree: RunTree, members: readonly ProcessEntry[], signal: NodeJS.Signals, signalled: Set<string>): void {
  const groups = new Set<number>();
  for (const member of members) {
    const { pid, startTime, group } = member;
    const isRepeated = signal !== "SIGKILL" && signalled.has(`group ${group}`);
    if (tree.ownsGroupOf(member) && !isRepeated) groups.add(group);
    else if (!signalled.has(`${pid} ${startTime}`)) sendSignal(pid, signal);
    signalled.add(`${pid} ${startTime}`);
  }
  for (const group of groups) {
    sendGroupSignal(group, signal);
    signalled.add(`group ${group}`);
  }
  for (const { pid } of members) resumeStopped(pid);
}

/** Lets a stopped process go on, so that it handles the signal that it was sent. */
function resumeStopped(pid: number): void {
  if (isStopped(pid)) sendSignal(pid, "SIGCONT");
}

/** A guardian exits by itself when its host is gone. What has its marker and does not exit is no guardian. */
async function endGuardians(tree: RunTree, before: readonly ProcessEntry[], keepAlive: boolean): Promise<void> {
  let members = before;
  for (const { signal, waitMs } of GUARDIAN_STAGES) {
    if (signal !== undefined) for (const { pid } of members) sendSignal(pid, signal);
    for (const until = performance.now() + waitMs; members.some(isGuardian) && performance.now() < until; )
      members = await lookAgain(tree, keepAlive);
  }
}

/** Looks until nothing was found twice and nothing may have been missed; returns what was found. */
async function lookUntilQuiet(tree: RunTree): Promise<readonly ProcessEntry[]> {
  for (let looks = 1; ; looks += 1) {
    const members = await lookAgain(tree, true);
    const isEnough = looks >= (tree.hasGroup() ? QUIET_LOOKS_AT_GROUP : QUIET_LOOKS);
    const isQuiet = isEnough && !isAnyStarting(performance.now() - POLL_MS / 4);
    if (members.length > 0 || isQuiet || looks >= MOST_QUIET_LOOKS) return members;
  }
}

async function lookAgain(tree: RunTree, keepAlive: boolean): Promise<readonly ProcessEntry[]> {
  await delay(POLL_MS, undefined, { ref: keepAlive });
  return tree.look(performance.now() - POLL_MS / 4);
}

function isGuardian(entry: ProcessEntry): boolean {
  return entry.guards !== undefined;
}

function isNoGuardian(entry: ProcessEntry): boolean {
  return entry.guards === undefined;
}
