import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { childrenOf, environmentOf, fieldsOf, stateOf, until } from "../../../tests/support/processes/read-proc.ts";
import {
  findProcess,
  GUARDIAN_MARKER,
  listProcesses,
  type ProcessEntry,
  parsePsLine,
  parseStat,
  RUN_MARKER,
  systemTime,
} from "./process-table.ts";

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
  const [, , group, session] = fieldsOf(pid).map(Number);
  const place = { pid, parentPid: process.pid, group, session, startTime: startTimeOf(pid) };
  expect(entry).toEqual({ ...place, run, guards: undefined, mayBeStarting: false });
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
  expect(list().find((each) => each.pid === pid)).toMatchObject({ run: undefined });
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
  const bare = await untilListed(
    (each) => each.parentPid === pid && each.run === undefined && environmentOf(each.pid).join() === "",
  );
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
  expect(list().some((each) => each.pid === zombie)).toBe(false);
  expect(list().some((each) => each.pid === parent)).toBe(true);
});

it("a process that has ended is not listed", async () => {
  const pid = start("cat", [], { PATH });
  await untilListed((each) => each.pid === pid);
  await Promise.all(children.splice(0).map(end));
  expect(list().some((each) => each.pid === pid)).toBe(false);
});

it("a process with only the marker of a guardian is listed as a guardian", async () => {
  const run = randomUUID();
  const guardian = start("cat", [], { PATH, [GUARDIAN_MARKER]: "host" });
  const pretender = start("cat", [], { PATH, [RUN_MARKER]: run, [GUARDIAN_MARKER]: "host" });
  for (const pid of [guardian, pretender]) await untilEnvironment(pid, `${GUARDIAN_MARKER}=host`);
  expect(list().find((each) => each.pid === guardian)).toMatchObject({ run: undefined, guards: "host" });
  expect(list().find((each) => each.pid === pretender)).toMatchObject({ run, guards: undefined });
});

it("findProcess() has the listed start time, and is undefined for a missing process", async () => {
  const pid = start("cat", [], { PATH });
  const entry = await untilListed((each) => each.pid === pid);
  expect(findProcess(pid)?.startTime).toBe(entry.startTime);
  expect(findProcess(2 ** 22 + 1)).toBeUndefined();
});

it("a new process without an environment may be in the middle of exec, an old one is not", async () => {
  const pid = start("cat", [], {});
  await untilListed((each) => each.pid === pid && each.mayBeStarting);
  await untilListed((each) => each.pid === pid && !each.mayBeStarting);
});

it("a quick list has new processes and not those that have ended", async () => {
  const [staying, ending] = [start("cat", [], { PATH }), start("cat", [], { PATH })];
  await untilListed((each) => each.pid === ending && each.startTime < systemTime() - 600);
  const [last] = children.splice(-1);
  if (last !== undefined) await end(last);
  const run = randomUUID();
  const added = start("cat", [], { PATH, [RUN_MARKER]: run });
  await untilEnvironment(added, `${RUN_MARKER}=${run}`);
  const quick = listProcesses(true) ?? [];
  expect([staying, ending, added].map((pid) => quick.some((each) => each.pid === pid))).toEqual([true, false, true]);
  expect(quick.find(({ pid }) => pid === added)).toEqual(list().find(({ pid }) => pid === added));
});

it("kernel threads are not listed", () => {
  const isKernelThread = (pid: number): boolean => (Number(fieldsOf(pid)[6]) & 0x200000) !== 0;
  expect(list().filter(({ pid }) => isKernelThread(pid))).toEqual([]);
});

it("a process whose session was created outside of its pid namespace is listed, and a kernel thread is not", () => {
  const stat = (flags: number): string => `71 (sh) S 1 0 0 0 -1 ${flags} 91 0 0 0 0 0 0 0 20 0 1 0 2402251 0 0`;
  expect(parseStat(stat(4194560))).toMatchObject({ pid: 71, session: 0 });
  expect(parseStat(stat(2129984))).toMatchObject({ session: -1 });
});

it("a process whose first thread has ended is alive although the system shows a zombie", () => {
  const stat = (state: string, threads: number): string =>
    `71 (z) ${state} 1 70 69 0 -1 4227084 91 0 0 0 0 0 0 0 20 0 ${threads} 0 2402251 0 0`;
  expect(parseStat(stat("Z", 2))).toEqual({ pid: 71, parentPid: 1, group: 70, session: 69, startTime: 24022510 });
  expect(parseStat(stat("Z", 1))).toBeUndefined();
  expect(parseStat(stat("S", 1))).toBeDefined();
});

it("a line of ps has the same fields, with the group in the place of the session", () => {
  const line = (state: string, environment: string): string =>
    `   71     1    70 ${state}   Sun Aug  9 07:05:01 2026     /bin/cat -n PATH=/bin ${environment}`;
  const startTime = Date.parse("Sun Aug 9 07:05:01 2026");
  const place = { pid: 71, parentPid: 1, group: 70, session: 70, startTime, mayBeStarting: false };
  expect(parsePsLine(line("S+", "COXSWAIN_RUN=a.1 X=1"))).toEqual([{ ...place, run: "a.1", guards: undefined }]);
  expect(parsePsLine(line("S", "MY_COXSWAIN_RUN=a.1"))).toEqual([{ ...place, run: undefined, guards: undefined }]);
  expect(parsePsLine(line("S", "COXSWAIN_GUARDIAN=a"))).toEqual([{ ...place, run: undefined, guards: "a" }]);
  expect(parsePsLine(line("Z", ""))).toEqual([]);
});

it("the start time of a new process is the time of the system", async () => {
  const before = systemTime();
  const { startTime } = await until(() => findProcess(start("cat", [], { PATH })));
  expect(startTime).toBeGreaterThan(before - 100);
  expect(startTime).toBeLessThan(systemTime() + 100);
});

it("the current process is not listed, so that it never ends itself", () => {
  expect(list().some((each) => each.pid === process.pid)).toBe(false);
  expect(list().some((each) => each.pid === process.ppid)).toBe(true);
});

function list(): readonly ProcessEntry[] {
  return listProcesses() ?? [];
}

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
  // A zombie keeps its pid as long as its parent lives.
  for (const pid of below) if (stateOf(pid) !== "Z") process.kill(pid, "SIGKILL");
  child.kill("SIGKILL");
  await gone;
}

function untilListed(matches: (entry: ProcessEntry) => boolean): Promise<ProcessEntry> {
  return until(() => list().find(matches));
}

/** A process during exec shows its parent's environment or none. */
async function untilEnvironment(pid: number, entry: string): Promise<void> {
  await until(() => environmentOf(pid).includes(entry));
}

function startTimeOf(pid: number): number {
  return Number(fieldsOf(pid)[19]) * 10;
}
