// The guardian: a separate process that ends the CLIs of its host when the host exits or crashes.
// It reads JSON lines from its host; EOF on that pipe means that the host has exited.
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { hostOfName, type NamedHost } from "../../files/host-directory.ts";
import { removeLeftovers, removeSoon } from "../../files/leftovers.ts";
import { endTree, sweepTree } from "../tree/end-tree.ts";
import { canListProcesses, findProcess } from "../tree/process-table.ts";
import { RunTree } from "../tree/run-tree.ts";
import { isRunning } from "../tree/signals.ts";
import { TreeWatch } from "../tree/tree-watch.ts";
import {
  type GuardedRun,
  type GuardianMessage,
  type RunState,
  rootOf,
  SIGN_INTERVAL_MS,
  SIGN_OF_LIFE,
} from "./guardian-protocol.ts";
import { sweepDeadHosts } from "./sweep-hosts.ts";

type Guarded = GuardedRun & { readonly tree: RunTree; state: RunState };

/** The guardian works for milliseconds at a time, so JIT compilers and a growing heap would cost memory and save no time (`npm run bench`). */
const FRUGAL = ["--no-opt", "--no-sparkplug", "--optimize-for-size", "--semi-space-growth-factor=1"];
const RELEASED_GRACE_MS = 700;
const SWEEP_DELAY_MS = 150;

const guarded = new Map<string, Guarded>();
const watch = new TreeWatch();
let ended: Guarded[] = [];
let sweepTimer: NodeJS.Timeout | undefined;
const directories = new Set<string>();
/** True if the host has closed this guardian and goes on. */
let isLeft = false;

function receive(message: GuardianMessage): void {
  if (message.op === "start") guard(message);
  else if (message.op === "directory") own(message.path, message.around);
  else if (message.op === "leave") isLeft = true;
  else if (message.op === "look") watch.lookSoon();
  else if (message.op === "hurry") sweepEnded();
  else {
    const run = guarded.get(message.run);
    if (run === undefined) return;
    if (message.op === "state") run.state = message.state;
    else sawEnd(run);
  }
}

/** Dead hosts can wait: at this moment the CLI of the first run is started. */
const DEAD_HOSTS_DELAY_MS = 100;

/** The directories in which dead hosts have not been searched yet, and the run in which this host runs. */
const unswept = new Map<string, string | undefined>();

function own(path: string, around: string | undefined): void {
  directories.add(path);
  unswept.set(dirname(path), around);
  setTimeout(sweepDead, DEAD_HOSTS_DELAY_MS).unref();
}

/** A host may live for a shorter time than dead hosts wait, so that its guardian searches for them before it exits. */
async function sweepDead(): Promise<void> {
  const places = [...unswept];
  unswept.clear();
  await Promise.all(places.map(([base, around]) => sweepDeadHosts(base, around).catch(() => {})));
}

function guard(message: GuardedRun): void {
  const tree = treeOf(message);
  guarded.set(message.run, { ...message, tree, state: "running" });
  watch.add(tree);
}

/**
 * The start time of the root is stored, because its pid may be reused before the run is ended. If the process with this pid leads
 * no session, the root has exited already.
 */
function treeOf(message: GuardedRun): RunTree {
  const { run, pid } = message;
  const found = findProcess(pid);
  if (found?.session === pid) return new RunTree(run, { ...rootOf(message), startTime: found.startTime });
  return new RunTree(run, { ...rootOf(message), hasExited: process.platform === "linux" && canListProcesses() });
}

/** Sweeps several ended runs together, because listing all processes takes milliseconds. */
function sawEnd(run: Guarded): void {
  guarded.delete(run.run);
  watch.remove(run.tree);
  ended.push(run);
  sweepTimer ??= setTimeout(sweepEnded, SWEEP_DELAY_MS);
}

function sweepEnded(): void {
  clearTimeout(sweepTimer);
  sweepTimer = undefined;
  const runs = ended;
  ended = [];
  if (runs.length === 0) return;
  endRuns(runs, sweepRun)
    .catch(() => {})
    .finally(() => print(runs.map(({ run }) => run)));
}

/** The host has removed the files when the process exited; the processes that it left may have created some again. */
async function sweepRun({ tree, files }: Guarded): Promise<void> {
  await sweepTree(tree);
  await removeSoon(files);
}

async function endGuarded(run: Guarded): Promise<void> {
  if (run.state === "released") await delay(RELEASED_GRACE_MS);
  await endTree(run.tree, run.state === "awaits-host" ? "SIGKILL" : run.signal, { isGuarded: false });
  await removeSoon(run.files);
}

/** Removes leftovers only after all runs have ended, because two runs may share a directory. */
async function endRuns(runs: readonly Guarded[], end: (run: Guarded) => Promise<void>): Promise<void> {
  const signs = setInterval(() => print([SIGN_OF_LIFE]), SIGN_INTERVAL_MS);
  try {
    await Promise.all(runs.map((run) => end(run).catch(() => {})));
    removeLeftovers(runs.flatMap(({ leftovers = [] }) => leftovers));
  } finally {
    clearInterval(signs);
  }
}

/** A process that waits for the host's answer asks its model within milliseconds, so it is killed before the processes are listed. */
function killWaiting(): void {
  for (const { state, tree } of guarded.values()) if (state === "awaits-host") tree.killRootGroup();
}

function sawHostExit(): void {
  sweepEnded();
  endRuns([...guarded.values()], endGuarded)
    .then(removeDirectories)
    .then(sweepDead)
    .catch(() => {});
}

/** How long a host may take to exit after its pipe was closed, and how often that is tested. */
const EXIT_MS = 2000;
const EXIT_POLL_MS = 20;

/** Removes what a dead host has written before it registered a run, or has not removed after one. */
async function removeDirectories(): Promise<void> {
  if (isLeft) return;
  for (const path of directories) {
    const host = hostOfName(basename(path));
    for (const until = performance.now() + EXIT_MS; isAlive(host) && performance.now() < until; ) await delay(EXIT_POLL_MS);
    if (!isAlive(host)) await removeSoon([path]);
  }
}

function isAlive(host: NamedHost | undefined): boolean {
  return host === undefined || isRunning(host);
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) receive(JSON.parse(line) as GuardianMessage);
});
process.stdin.on("error", () => {});
// "end" comes first. "close" follows when the pipe is closed here too.
process.stdin.on("end", killWaiting);
process.stdin.on("close", sawHostExit);
// A write to a host that has exited fails.
process.stdout.on("error", () => {});
print([SIGN_OF_LIFE]);
// Not as arguments of Node: with other flags V8 rejects the compiled code of Node's own modules, and the start takes a third longer.
for (const flag of FRUGAL) setFlagsFromString(flag);
