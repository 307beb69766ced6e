import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { writeProgram } from "../../tests/support/clis/write-program.ts";
import { isAlive } from "../../tests/support/processes/read-proc.ts";
import { claude } from "../clis/claude/provider.ts";
import { rehearsal } from "../clis/rehearsal/provider.ts";
import type { ActiveProcess } from "../run/open-run.ts";
import type { ProgramHost } from "./ask-program.ts";
import { askVersion, readVersion, versionOfOwn } from "./probe-version.ts";

let folder = "";
let runId = "";
let tracked: ActiveProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-probe-version-"));
  runId = `test-${randomUUID()}`;
  tracked = [];
});

afterEach(async () => {
  for (const each of tracked) each.end();
  await Promise.all(tracked.map(({ gone }) => gone));
  for (const pid of notedPids()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it("a program of this package has the package's version", () => {
  expect(versionOfOwn(rehearsal)).toBe(packageFile.version);
});

it.each([
  ["a CLI on the PATH", claude.binary],
  ["a script elsewhere", { script: new URL("../../bin/cox.js", import.meta.url) }],
])("%s has no own version", (_name, binary) => {
  expect(versionOfOwn({ ...rehearsal, binary })).toBeUndefined();
});

it.each([
  ["2.1.197 (Claude Code)", "2.1.197"],
  ["codex-cli 0.166.0", "0.166.0"],
  ["v1.2.3-beta.4+build.5", "1.2.3-beta.4+build.5"],
  ["tool\nversion 10.20", "10.20"],
])("the output %j has the version %s", async (printed, version) => {
  expect(await probe(`printf '%s\\n' '${printed}'`)).toBe(version);
});

it("stderr is ignored", async () => {
  expect(await probe("echo 'warning: needs 99.9' >&2; echo 1.2.3; echo '88.8' >&2")).toBe("1.2.3");
  expect(await probe("echo 'tool 1.2.3' >&2")).toBeUndefined();
});

it.each(["", "echo no version here", "echo 7", "exit 1"])("a program that does %j has no version", async (script) => {
  expect(await probe(script)).toBeUndefined();
});

it("a version is used even if the program then fails", async () => {
  expect(await probe("echo 1.2.3; exit 3")).toBe("1.2.3");
});

it("the program gets its prefix arguments and --version, and an empty stdin", async () => {
  const command = program('echo "$*" > "$0.args"; cat; echo 1.2.3');
  expect(await probeVersion(claude, { command, prefixArgs: ["--first", "with blank"] }, host())).toBe("1.2.3");
  expect(readFileSync(`${command}.args`, "utf8")).toBe("--first with blank --version\n");
});

it("the program runs in the environment and the private directory of a run", async () => {
  const command = program(`echo "$COXSWAIN_RUN $NO_COLOR $MINE $CLAUDECODE" > "$0.env"; pwd >> "$0.env"; echo 1.2.3`);
  await probeVersion(claude, { command, prefixArgs: [] }, host({ MINE: "yes", CLAUDECODE: "1" }));
  expect(readFileSync(`${command}.env`, "utf8")).toBe(`${runId} 1 yes \n${join(folder, "state", "coxswain", "empty")}\n`);
});

it("a program that hangs is ended after the timeout, with all its processes", async () => {
  const script = `sleep 60 & echo "$$ $!" > "${join(folder, "pids")}"; wait`;
  expect(await probe(script)).toBeUndefined();
  await expectAllGone(2);
});

it("a program that hangs after its version is ended too, and the version is used", async () => {
  expect(await probe(`echo $$ > "${join(folder, "pids")}"; echo 1.2.3; exec sleep 60`)).toBe("1.2.3");
  await expectAllGone(1);
});

it("processes that a program left behind are ended after its version was read", async () => {
  expect(await probe(`sleep 60 > /dev/null 2>&1 & echo $! > "${join(folder, "pids")}"; echo 1.2.3`)).toBe("1.2.3");
  await expectAllGone(1);
});

it("a program that prints without end is ended after the timeout, and its version is used", async () => {
  expect(await probe("echo 1.2.3; exec yes")).toBe("1.2.3");
});

it.each<[string, () => string]>([
  ["is not there", () => join(folder, "absent")],
  ["may not be executed", () => program("echo 1.2.3", 0o644)],
  ["is a directory", () => folder],
  ["is below a file", () => join(program("echo 1.2.3"), "tool")],
])("a program that %s has no version, and nothing is thrown", async (_name, command) => {
  expect(await probeVersion(claude, { command: command(), prefixArgs: [] }, host())).toBeUndefined();
});

it("an environment that is too large for a start throws nothing", async () => {
  const found = { command: program("echo 1.2.3"), prefixArgs: [] };
  expect(await probeVersion(claude, found, host({ LARGE: "x".repeat(3_000_000) }))).toBeUndefined();
});

it("a host that exits does not wait for the version", async () => {
  const version = probe(`echo $$ > "${join(folder, "pids")}"; exec sleep 60`);
  await expect.poll(() => notedPids().length, { timeout: 10_000 }).toBe(1);
  for (const each of tracked) each.end();
  expect(await version).toBeUndefined();
  await expectAllGone(1);
});

function program(script: string, mode = 0o755): string {
  const file = writeProgram(join(folder, "tool"), script);
  chmodSync(file, mode);
  return file;
}

function probe(script: string): Promise<string | undefined> {
  return probeVersion(claude, { command: program(script), prefixArgs: [] }, host());
}

function host(env: Readonly<Record<string, string>> = {}): ProgramHost {
  return {
    env: { PATH: process.env["PATH"], XDG_STATE_HOME: join(folder, "state"), ...env },
    guardian: undefined,
    nextRunId: () => runId,
    track: (each) => tracked.push(each),
  };
}

function notedPids(): readonly number[] {
  const file = join(folder, "pids");
  const text = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Waits until the process has exited, because a signal takes a moment. */
async function expectAllGone(count: number): Promise<void> {
  const pids = notedPids();
  expect(pids).toHaveLength(count);
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
}

async function probeVersion(...question: Parameters<typeof askVersion>): Promise<string | undefined> {
  return readVersion(await askVersion(...question));
}
