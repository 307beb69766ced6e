import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { GUARDIAN_MARKER, listProcesses, type ProcessEntry, RUN_MARKER, startTimeOf as readStartTime } from "./process-table.ts";

const PATH = process.env["PATH"] ?? "";
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(children.splice(0).map(end));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it("a process is listed with its parent, its start and the run that its environment names", async () => {
  const run = randomUUID();
  const pid = start("cat", [], { [RUN_MARKER]: run, PATH });
  const entry = await untilListed((each) => each.pid === pid && each.run === run);
  expect(entry).toEqual({ pid, parentPid: process.pid, startTime: startTimeOf(pid), run });
  expect(await untilListed((each) => each.pid === pid)).toEqual(entry);
});

it("the marker is found at any position in the environment", async () => {
  const run = randomUUID();
  const first = start("cat", [], { [RUN_MARKER]: run, PATH });
  const middle = start("cat", [], { PATH, [RUN_MARKER]: run, LATER: "x" });
  const last = start("cat", [], { PATH, EARLIER: "x", [RUN_MARKER]: run });
  for (const pid of [first, middle, last]) await untilListed((each) => each.pid === pid && each.run === run);
});

it("the marker is found behind 100 kB of other variables", async () => {
  const run = randomUUID();
  const pid = start("cat", [], { PATH, LONG: "x".repeat(100_000), [RUN_MARKER]: run });
  await untilListed((each) => each.pid === pid && each.run === run);
});

it("a look leaves no file open", () => {
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  for (let look = 0; look < 10; look += 1) listProcesses();
  // Ten looks at one process would leave ten; other files of this process may be opened meanwhile.
  expect(openFiles() - before).toBeLessThan(10);
});

it("a marker inside another name or value does not count", async () => {
  const run = randomUUID();
  const env = { PATH, [`MY_${RUN_MARKER}`]: run, NOTE: `${RUN_MARKER}=${run}`, [`${RUN_MARKER}S`]: run };
  const pid = start("cat", [], env);
  await untilEnvironment(pid, `NOTE=${RUN_MARKER}=${run}`);
  expect(listProcesses().find((each) => each.pid === pid)).toMatchObject({ run: undefined });
});

it("a value that is empty or has an equals sign is read completely", async () => {
  const odd = start("cat", [], { PATH, [RUN_MARKER]: "a=b=c d" });
  await untilListed((each) => each.pid === odd && each.run === "a=b=c d");
  const empty = start("cat", [], { PATH, [RUN_MARKER]: "" });
  await untilListed((each) => each.pid === empty && each.run === "");
});

it("a process in its own session and a grandchild are listed too", async () => {
  const run = randomUUID();
  const pid = start("sh", ["-c", "sleep 60 & wait"], { [RUN_MARKER]: run, PATH }, true);
  const grandchild = await untilListed((each) => each.parentPid === pid && each.run === run);
  expect(grandchild.pid).not.toBe(pid);
});

it("a process that dropped its environment is listed without a run, below its parent", async () => {
  const run = randomUUID();
  const pid = start("sh", ["-c", "env -i sleep 60 & wait"], { [RUN_MARKER]: run, PATH });
  const bare = await untilListed((each) => each.parentPid === pid && each.run === undefined && environmentOf(each.pid) === "");
  expect(bare).toMatchObject({ parentPid: pid, run: undefined });
});

it("a program name with brackets, blanks and a state letter is parsed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-process-table-"));
  folders.push(folder);
  const program = join(folder, "a) Z 1 (b");
  writeFileSync(program, "#!/bin/sh\nread line\n");
  chmodSync(program, 0o755);
  const run = randomUUID();
  const pid = start(program, [], { [RUN_MARKER]: run, PATH });
  const entry = await untilListed(
    (each) => each.pid === pid && each.run === run && readFileSync(`/proc/${pid}/comm`, "utf8") === "a) Z 1 (b\n",
  );
  expect(entry).toMatchObject({ pid, parentPid: process.pid, startTime: startTimeOf(pid) });
});

it("a zombie is not listed", async () => {
  const run = randomUUID();
  const parent = start("sh", ["-c", "true & exec cat"], { [RUN_MARKER]: run, PATH });
  const zombie = await until(() => childrenOf(parent).find((pid) => stateOf(pid) === "Z"));
  expect(listProcesses().some((each) => each.pid === zombie)).toBe(false);
  expect(listProcesses().some((each) => each.pid === parent)).toBe(true);
});

it("a process that has ended is not listed", async () => {
  const pid = start("cat", [], { PATH });
  await untilListed((each) => each.pid === pid);
  await Promise.all(children.splice(0).map(end));
  expect(listProcesses().some((each) => each.pid === pid)).toBe(false);
});

it("a guardian is not listed, but a process with both markers is", async () => {
  const run = randomUUID();
  const guardian = start("cat", [], { PATH, [GUARDIAN_MARKER]: "host" });
  const pretender = start("cat", [], { PATH, [RUN_MARKER]: run, [GUARDIAN_MARKER]: "host" });
  for (const pid of [guardian, pretender]) await untilEnvironment(pid, `${GUARDIAN_MARKER}=host`);
  expect(listProcesses().some((each) => each.pid === guardian)).toBe(false);
  expect(listProcesses().find((each) => each.pid === pretender)).toMatchObject({ run });
});

it("startTimeOf() equals the listed start time, and is undefined for a missing process", async () => {
  const pid = start("cat", [], { PATH });
  const entry = await untilListed((each) => each.pid === pid);
  expect(readStartTime(pid)).toBe(entry.startTime);
  expect(readStartTime(2 ** 22 + 1)).toBeUndefined();
});

it("the current process is not listed, so that it never ends itself", () => {
  expect(listProcesses().some((each) => each.pid === process.pid)).toBe(false);
  expect(listProcesses().some((each) => each.pid === process.ppid)).toBe(true);
});

/** Starts a program that exits at EOF on stdin. */
function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>, detached = false): number {
  const child = spawn(command, args, { env, detached, stdio: ["pipe", "ignore", "ignore"] });
  children.push(child);
  if (child.pid === undefined) throw new Error(`${command} did not start`);
  return child.pid;
}

async function end(child: ChildProcess): Promise<void> {
  const below = child.pid === undefined ? [] : childrenOf(child.pid);
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const gone = hasEnded ? undefined : new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  for (const pid of below) if (stateOf(pid) !== "Z") process.kill(pid, "SIGKILL");
  await gone;
}

function untilListed(matches: (entry: ProcessEntry) => boolean): Promise<ProcessEntry> {
  return until(() => listProcesses().find(matches));
}

/** A process during exec shows its parent's environment or none. */
async function untilEnvironment(pid: number, entry: string): Promise<void> {
  await until(() => environmentOf(pid)?.split("\0").includes(entry) || undefined);
}

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error("it did not come about in ten seconds");
    await delay(20);
  }
}

function childrenOf(pid: number): readonly number[] {
  return (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
}

function environmentOf(pid: number): string | undefined {
  return read(`/proc/${pid}/environ`);
}

function fieldsOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`) ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function stateOf(pid: number): string | undefined {
  return fieldsOf(pid)[0];
}

function startTimeOf(pid: number): string | undefined {
  return fieldsOf(pid)[19];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
