import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { childrenOf, environmentOf, isAlive, readIfThere, stateOf, until } from "../../../tests/support/processes/read-proc.ts";
import { endTree, sweepTree } from "./end-tree.ts";
import { findProcess, GUARDIAN_MARKER, RUN_MARKER } from "./process-table.ts";
import { type Root, RunTree } from "./run-tree.ts";

/** Records each signal and exits only at the given ones. */
const NOTING_PROGRAM = `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const [log, leaves, lastAct] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {
  appendFileSync(log, signal + "\\n");
  if (lastAct === "start-another") appendFileSync(log, spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).pid + "\\n");
  if (leaves.includes(signal)) process.exit(0);
});
setInterval(() => {}, 1000);
appendFileSync(log, "ready\\n");
`;
const PATH = process.env["PATH"] ?? "";
let folder = "";
let run = "";
let started: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-end-tree-"));
  writeFileSync(join(folder, "notes.mjs"), NOTING_PROGRAM);
  run = `test-${randomUUID()}.1`;
  started = [];
});

afterEach(async () => {
  for (const pid of started) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  await until(() => !started.some(isAlive));
  rmSync(folder, { recursive: true, force: true });
});

it("a process with the marker is ended, also in its own session", async () => {
  const pid = await startMarked("sleep", ["60"]);
  await sweepTree(new RunTree(run));
  expect(isAlive(pid)).toBe(false);
});

it("a run without processes needs no signal", async () => {
  await sweepTree(new RunTree(run));
  await endRun({ pid: 2 ** 22 + 1 }, "SIGINT");
});

it("only the root gets the first signal; the others get SIGTERM after the root has exited", async () => {
  const root = await startNoting("root", "SIGINT");
  const other = await startNoting("other", "SIGTERM");
  await endRun({ pid: root }, "SIGINT");
  expect([root, other].map(isAlive)).toEqual([false, false]);
  expect(notesOf("root").slice(0, 2)).toEqual(["ready", "SIGINT"]);
  expect(notesOf("other")).not.toContain("SIGINT");
});

it("a process that ignores the other signals gets SIGKILL", async () => {
  const root = await startNoting("root", "none");
  const other = await startNoting("other", "none");
  await endRun({ pid: root }, "SIGINT");
  expect([root, other].map(isAlive)).toEqual([false, false]);
  expect(notesOf("other")).not.toContain("SIGINT");
});

it("a process that is started while the run is being ended is ended too", async () => {
  const root = await startNoting("root", "SIGTERM", "start-another");
  await endRun({ pid: root }, "SIGTERM");
  const another = Number(notesOf("root").at(-1));
  started.push(another);
  expect(another).toBeGreaterThan(0);
  expect([root, another].map(isAlive)).toEqual([false, false]);
});

it("a child that dropped its environment is ended with its marked parent", async () => {
  const parent = await startMarked("sh", ["-c", "env -i sleep 60 & wait"]);
  const bare = await bareChildOf(parent);
  await sweepTree(new RunTree(run));
  expect([parent, bare].map(isAlive)).toEqual([false, false]);
});

it("a child that dropped its environment is remembered when its parent leaves first", async () => {
  const parent = await startMarked("sh", ["-c", "env -i sleep 60 & wait"]);
  const bare = await bareChildOf(parent);
  await endRun({ pid: parent }, "SIGINT");
  expect([parent, bare].map(isAlive)).toEqual([false, false]);
});

it("a root without the marker is ended by its pid, with its descendants", async () => {
  const root = start("sh", ["-c", "sh -c 'sleep 60 & wait' & wait"], { PATH });
  const child = await until(() => childrenOf(root)[0]);
  const grandchild = await until(() => childrenOf(child)[0]);
  started.push(child, grandchild);
  await endRun({ pid: root }, "SIGTERM");
  expect([root, child, grandchild].map(isAlive)).toEqual([false, false, false]);
});

it("a stopped process (SIGSTOP) is ended", async () => {
  const pid = await startMarked("sleep", ["60"]);
  process.kill(pid, "SIGSTOP");
  await endRun({ pid }, "SIGINT");
  expect(isAlive(pid)).toBe(false);
});

it("a zombie is not waited for, and its parent gets no signal", async () => {
  const parent = start("sh", ["-c", "true & exec sleep 60"], { PATH });
  const zombie = await until(() => childrenOf(parent).find((pid) => stateOf(pid) === "Z"));
  await endRun({ pid: zombie }, "SIGTERM");
  expect(isAlive(parent)).toBe(true);
});

it("other runs, longer run ids, unmarked processes and guardians get no signal", async () => {
  const ours = await startMarked("sleep", ["60"]);
  const bystanders = [
    start("sleep", ["60"], { PATH, [RUN_MARKER]: `test-${randomUUID()}.1` }),
    start("sleep", ["60"], { PATH, [RUN_MARKER]: `${run}0` }),
    start("sleep", ["60"], { PATH, [RUN_MARKER]: run.slice(0, -2) }),
    start("sleep", ["60"], { PATH, NOTE: `${RUN_MARKER}=${run}` }),
    start("sleep", ["60"], { PATH, [GUARDIAN_MARKER]: run }),
  ];
  for (const pid of bystanders) await until(() => environmentOf(pid).length > 1);
  await endRun({ pid: ours }, "SIGTERM");
  expect(isAlive(ours)).toBe(false);
  expect(bystanders.map(isAlive)).toEqual([true, true, true, true, true]);
});

it("a guardian that a process of the run started gets no signal and the time to end its own runs", async () => {
  const note = `trap 'echo signal >> ${join(folder, "guardian")}' TERM INT; sleep 0.6; echo done >> ${join(folder, "guardian")}`;
  const parent = await startMarked("sh", ["-c", `env -i PATH="$PATH" ${GUARDIAN_MARKER}=host setsid sh -c "${note}" & wait`]);
  const guardian = await guardianBelow(parent);
  await endRun({ pid: parent }, "SIGTERM");
  expect([parent, guardian].map(isAlive)).toEqual([false, false]);
  expect(notesOf("guardian")).toEqual(["done"]);
});

it("a process that has only the marker of a guardian and does not exit is ended", async () => {
  const parent = await startMarked("sh", ["-c", `env -i ${GUARDIAN_MARKER}=host setsid sleep 60 & wait`]);
  const guardian = await guardianBelow(parent);
  await endRun({ pid: parent }, "SIGTERM");
  expect([parent, guardian].map(isAlive)).toEqual([false, false]);
});

it("a clock that is set back does not delay the signals", async () => {
  const root = await startNoting("root", "none");
  const now = Date.now();
  vi.spyOn(Date, "now")
    .mockImplementationOnce(() => now)
    .mockImplementation(() => now - 3_600_000);
  await endRun({ pid: root }, "SIGTERM").finally(() => vi.restoreAllMocks());
  expect(isAlive(root)).toBe(false);
});

it("a later process with the pid of the root is not the root", async () => {
  const pid = start("sleep", ["60"], { PATH });
  await endRun({ pid, startTime: 1 }, "SIGTERM");
  expect(isAlive(pid)).toBe(true);
  await endRun({ pid, startTime: findProcess(pid)?.startTime ?? 0 }, "SIGTERM");
  expect(isAlive(pid)).toBe(false);
});

it("two runs may be ended at the same time", async () => {
  const first = await startMarked("sleep", ["60"]);
  const otherRun = `${run}.other`;
  const second = start("sleep", ["60"], { PATH, [RUN_MARKER]: otherRun });
  await until(() => environmentOf(second).includes(`${RUN_MARKER}=${otherRun}`));
  await Promise.all([run, otherRun, run].map((each) => sweepTree(new RunTree(each))));
  expect([first, second].map(isAlive)).toEqual([false, false]);
});

function endRun(root: Root, signal: NodeJS.Signals): Promise<void> {
  return endTree(new RunTree(run, root), signal, { isGuarded: false });
}

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): number {
  const { pid } = spawn(command, args, { env, detached: true, stdio: "ignore" });
  if (pid === undefined) throw new Error(`${command} did not start`);
  started.push(pid);
  return pid;
}

/** Waits until exec has finished: before that a process has the environment of its parent or none. */
async function startMarked(command: string, args: readonly string[]): Promise<number> {
  const pid = start(command, args, { PATH, [RUN_MARKER]: run });
  await until(() => environmentOf(pid).includes(`${RUN_MARKER}=${run}`));
  return pid;
}

async function startNoting(name: string, leaves: string, lastAct = ""): Promise<number> {
  const pid = await startMarked(process.execPath, [join(folder, "notes.mjs"), join(folder, name), leaves, lastAct]);
  await until(() => notesOf(name).includes("ready"));
  return pid;
}

async function guardianBelow(parent: number): Promise<number> {
  const isGuardian = (pid: number): boolean => environmentOf(pid).includes(`${GUARDIAN_MARKER}=host`);
  const pid = await until(() => childrenOf(parent).find((child) => isGuardian(child) && stateOf(child) === "S"));
  started.push(pid);
  return pid;
}

async function bareChildOf(parent: number): Promise<number> {
  const pid = await until(() =>
    childrenOf(parent).find((child) => readIfThere(`/proc/${child}/cmdline`)?.startsWith("sleep\0") === true),
  );
  started.push(pid);
  expect(readIfThere(`/proc/${pid}/environ`)).toBe("");
  return pid;
}

function notesOf(name: string): readonly string[] {
  return (readIfThere(join(folder, name)) ?? "").split("\n").filter(Boolean);
}
