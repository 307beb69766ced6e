import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endTree, sweepRun } from "./end-tree.ts";
import { GUARDIAN_MARKER, RUN_MARKER, startTimeOf } from "./process-table.ts";

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
  await sweepRun(run);
  expect(isAlive(pid)).toBe(false);
});

it("a run without processes needs no signal", async () => {
  await sweepRun(run);
  await endTree({ run, root: { pid: 2 ** 22 + 1 } }, "SIGINT", { keepAlive: true });
});

it("only the root gets the first signal; the others get SIGTERM after the root has exited", async () => {
  const root = await startNoting("root", "SIGINT");
  const other = await startNoting("other", "SIGTERM");
  await endTree({ run, root: { pid: root } }, "SIGINT", { keepAlive: true });
  expect([root, other].map(isAlive)).toEqual([false, false]);
  expect(notesOf("root").slice(0, 2)).toEqual(["ready", "SIGINT"]);
  expect(notesOf("other")).not.toContain("SIGINT");
});

it("a process that ignores the other signals gets SIGKILL", async () => {
  const root = await startNoting("root", "none");
  const other = await startNoting("other", "none");
  await endTree({ run, root: { pid: root } }, "SIGINT", { keepAlive: true });
  expect([root, other].map(isAlive)).toEqual([false, false]);
  expect(notesOf("other")).not.toContain("SIGINT");
});

it("a process that is started while the run is being ended is ended too", async () => {
  const root = await startNoting("root", "SIGTERM", "start-another");
  await endTree({ run, root: { pid: root } }, "SIGTERM", { keepAlive: true });
  const another = Number(notesOf("root").at(-1));
  started.push(another);
  expect(another).toBeGreaterThan(0);
  expect([root, another].map(isAlive)).toEqual([false, false]);
});

it("a child that dropped its environment is ended with its marked parent", async () => {
  const parent = await startMarked("sh", ["-c", "env -i sleep 60 & wait"]);
  const bare = await bareChildOf(parent);
  await sweepRun(run);
  expect([parent, bare].map(isAlive)).toEqual([false, false]);
});

it("a child that dropped its environment is remembered when its parent leaves first", async () => {
  const parent = await startMarked("sh", ["-c", "env -i sleep 60 & wait"]);
  const bare = await bareChildOf(parent);
  await endTree({ run, root: { pid: parent } }, "SIGINT", { keepAlive: true });
  expect([parent, bare].map(isAlive)).toEqual([false, false]);
});

it("a root without the marker is ended by its pid, with its descendants", async () => {
  const root = start("sh", ["-c", "sh -c 'sleep 60 & wait' & wait"], { PATH });
  const child = await until(() => childrenOf(root)[0]);
  const grandchild = await until(() => childrenOf(child)[0]);
  started.push(child, grandchild);
  await endTree({ run, root: { pid: root } }, "SIGTERM", { keepAlive: true });
  expect([root, child, grandchild].map(isAlive)).toEqual([false, false, false]);
});

it("a stopped process (SIGSTOP) is ended", async () => {
  const pid = await startMarked("sleep", ["60"]);
  process.kill(pid, "SIGSTOP");
  await endTree({ run, root: { pid } }, "SIGINT", { keepAlive: true });
  expect(isAlive(pid)).toBe(false);
});

it("a zombie is not waited for, and its parent gets no signal", async () => {
  const parent = start("sh", ["-c", "true & exec sleep 60"], { PATH });
  const zombie = await until(() => childrenOf(parent).find((pid) => stateOf(pid) === "Z"));
  await endTree({ run, root: { pid: zombie } }, "SIGTERM", { keepAlive: true });
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
  await endTree({ run, root: { pid: ours } }, "SIGTERM", { keepAlive: true });
  expect(isAlive(ours)).toBe(false);
  expect(bystanders.map(isAlive)).toEqual([true, true, true, true, true]);
});

it("a guardian that a process of the run started gets no signal, because it ends its own runs", async () => {
  const parent = await startMarked("sh", ["-c", `env -i ${GUARDIAN_MARKER}=host sleep 60 & wait`]);
  const guardian = await until(() =>
    childrenOf(parent).find((child) => environmentOf(child).includes(`${GUARDIAN_MARKER}=host`)),
  );
  started.push(guardian);
  await endTree({ run, root: { pid: parent } }, "SIGTERM", { keepAlive: true });
  expect([parent, guardian].map(isAlive)).toEqual([false, true]);
});

it("a later process with the pid of the root is not the root", async () => {
  const pid = start("sleep", ["60"], { PATH });
  await endTree({ run, root: { pid, startTime: "1" } }, "SIGTERM", { keepAlive: true });
  expect(isAlive(pid)).toBe(true);
  await endTree({ run, root: { pid, startTime: startTimeOf(pid) ?? "" } }, "SIGTERM", { keepAlive: true });
  expect(isAlive(pid)).toBe(false);
});

it("two runs may be ended at the same time", async () => {
  const first = await startMarked("sleep", ["60"]);
  const otherRun = `${run}.other`;
  const second = start("sleep", ["60"], { PATH, [RUN_MARKER]: otherRun });
  await until(() => environmentOf(second).includes(`${RUN_MARKER}=${otherRun}`));
  await Promise.all([sweepRun(run), sweepRun(otherRun), sweepRun(run)]);
  expect([first, second].map(isAlive)).toEqual([false, false]);
});

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

async function bareChildOf(parent: number): Promise<number> {
  const pid = await until(() =>
    childrenOf(parent).find((child) => read(`/proc/${child}/cmdline`)?.startsWith("sleep\0") === true),
  );
  started.push(pid);
  expect(read(`/proc/${pid}/environ`)).toBe("");
  return pid;
}

function notesOf(name: string): readonly string[] {
  return (read(join(folder, name)) ?? "").split("\n").filter(Boolean);
}

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error("it did not come about in fifteen seconds");
    await delay(20);
  }
}

function isAlive(pid: number): boolean {
  return !["Z", "X", ""].includes(stateOf(pid));
}

function stateOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`) ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0] ?? "";
}

function childrenOf(pid: number): readonly number[] {
  return (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
}

function environmentOf(pid: number): readonly string[] {
  return (read(`/proc/${pid}/environ`) ?? "").split("\0");
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
