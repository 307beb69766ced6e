import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive, readIfThere, until } from "../../../tests/support/processes/read-proc.ts";
import { sweepTree } from "./end-tree.ts";
import { findProcess, RUN_MARKER } from "./process-table.ts";
import { RunTree } from "./run-tree.ts";

const PATH = process.env["PATH"] ?? "";
let folder = "";
let run = "";
let started: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-run-tree-"));
  run = `test-${randomUUID()}.1`;
  started = [];
});

afterEach(async () => {
  for (const pid of [...started, ...writtenPids()]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it("a process without environment and parent is found in the session of a root that has exited", async () => {
  const root = startRoot("env -i sleep 60 & echo $! >> pids");
  const [orphan = 0] = await written(1);
  await until(() => !isAlive(root));
  await sweepTree(new RunTree(run, { pid: root }));
  expect(isAlive(orphan)).toBe(false);
});

it("a process that has left the session is known by an earlier look, after it has lost its marker and its parent", async () => {
  const root = startRoot("setsid sh -c 'echo $$ >> pids; read line; exec env -i sleep 60' & wait");
  const [child = 0] = await written(1);
  const tree = new RunTree(run, { pid: root });
  tree.look(performance.now());
  process.kill(root, "SIGKILL");
  await until(() => findProcess(child)?.parentPid !== root);
  await sweepTree(tree);
  expect(isAlive(child)).toBe(false);
});

it("the whole session of a member belongs to the run, also when its creator has exited", async () => {
  const root = startRoot("setsid sh -c 'env -i sleep 60 & echo $! >> pids; sleep 60 & echo $! >> pids' & wait $!; exec sleep 60");
  const pids = await written(2);
  const tree = new RunTree(run, { pid: root });
  await until(() => pids.every((pid) => findProcess(pid)?.parentPid !== undefined) && findProcess(session(pids)) === undefined);
  expect(tree.look(performance.now()).map(({ pid }) => pid)).toEqual(expect.arrayContaining([root, ...pids]));
  await sweepTree(tree);
  expect(pids.map(isAlive)).toEqual([false, false]);
});

it("a session is found although the root has exited before the first look, but no session that is older than the run", async () => {
  const leaves = "setsid sh -c 'env -i sleep 60 & echo $! >> pids; sleep 60 & echo $! >> pids'";
  const root = startRoot(leaves);
  const startedAt = performance.now();
  const [bare = 0, marked = 0] = await written(2);
  // Until it executes env, the child has the marker of the shell that it was.
  await until(() => !isAlive(root) && findProcess(session([bare])) === undefined && hasNoEnvironment(bare));
  const later = new RunTree(run, { pid: root, startedAt: startedAt + 5_000, hasExited: true });
  expect(later.look(performance.now()).map(({ pid }) => pid)).toEqual([marked]);
  await sweepTree(new RunTree(run, { pid: root, startedAt }));
  expect([bare, marked].map(isAlive)).toEqual([false, false]);
});

it("a program that only passes the marker on is no member, nor are its other children", async () => {
  const root = startRoot("exec sleep 60");
  const scheduler = `sleep 60 & echo $! >> pids; ${RUN_MARKER}=${run} sleep 60 & echo $! >> pids; wait`;
  const other = startRoot(scheduler, { PATH });
  const [bystander = 0, marked = 0] = await written(2);
  const tree = new RunTree(run, { pid: root });
  await until(() => tree.look(performance.now()).length === 2);
  expect(new Set(tree.look(performance.now()).map(({ pid }) => pid))).toEqual(new Set([root, marked]));
  await sweepTree(tree);
  expect([other, bystander, marked].map(isAlive)).toEqual([true, true, false]);
});

it("a later process with the pid of the root does not bring its session in", async () => {
  const later = startRoot("env -i sleep 60 & echo $! >> pids; wait", { PATH });
  const [child = 0] = await written(1);
  expect(new RunTree(run, { pid: later, startTime: 1 }).look(performance.now())).toEqual([]);
  expect(new RunTree(run, { pid: later, hasExited: true }).look(performance.now())).toEqual([]);
  await sweepTree(new RunTree(run, { pid: later }));
  expect([later, child].map(isAlive)).toEqual([true, true]);
});

it("processes that start their successor and exit are ended by a signal to their group", async () => {
  writeFileSync(join(folder, "chain"), "trap '' TERM; sleep 0.01; sh chain &\n");
  const root = startRoot('env -i PATH="$PATH" sh chain & echo $! >> pids');
  await written(1);
  await until(() => !isAlive(root));
  const tree = new RunTree(run, { pid: root });
  await until(() => tree.look(performance.now()).length > 0);
  await sweepTree(tree);
  expect(tree.look(performance.now())).toEqual([]);
});

/** Starts a shell as the leader of a new session; it appends pids to the file `pids`. */
function hasNoEnvironment(pid: number): boolean {
  return readIfThere(`/proc/${pid}/environ`) === "";
}

function startRoot(script: string, env: Readonly<Record<string, string>> = { PATH, [RUN_MARKER]: run }): number {
  const { pid } = spawn("sh", ["-c", script], { cwd: folder, env, detached: true, stdio: "ignore" });
  if (pid === undefined) throw new Error("sh did not start");
  started.push(pid);
  return pid;
}

function written(count: number): Promise<readonly number[]> {
  return until(() => writtenPids().length === count && writtenPids());
}

function writtenPids(): readonly number[] {
  return [...(readIfThere(join(folder, "pids")) ?? "").matchAll(/\d+\n/g)].map(Number);
}

function session(pids: readonly number[]): number {
  return findProcess(pids[0] ?? 0)?.session ?? 0;
}
