import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { probeVersion } from "./probe-version.ts";

const env = { PATH: process.env["PATH"] };
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-probe-version-"));
});

afterEach(() => {
  for (const pid of notedPids()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ["2.1.197 (Claude Code)", "2.1.197"],
  ["codex-cli 0.166.0", "0.166.0"],
  ["v1.2.3-beta.4+build.5", "1.2.3-beta.4+build.5"],
  ["tool\nversion 10.20", "10.20"],
])("of what a program prints, %j, the version is %s", async (printed, version) => {
  expect(await probe(`printf '%s\\n' '${printed}'`)).toBe(version);
});

it("what is written to stderr is noise", async () => {
  expect(await probe("echo 'warning: needs 99.9' >&2; echo 1.2.3; echo '88.8' >&2")).toBe("1.2.3");
  expect(await probe("echo 'tool 1.2.3' >&2")).toBeUndefined();
});

it.each(["", "echo no version here", "echo 7", "exit 1"])("a program that does %j has no version", async (script) => {
  expect(await probe(script)).toBeUndefined();
});

it("a version counts even when the program then fails", async () => {
  expect(await probe("echo 1.2.3; exit 3")).toBe("1.2.3");
});

it("the program is asked for its version and nothing else, after what goes in front", async () => {
  const binary = { command: program('echo "$#: $* 1.0"; echo "$* 1.0" > "$0.args"'), prefixArgs: ["--first", "with blank"] };
  expect(await probeVersion(binary, env)).toBe("1.0");
  expect(readFileSync(`${binary.command}.args`, "utf8")).toBe("--first with blank --version 1.0\n");
});

it("the program has the given environment alone", async () => {
  const command = program('echo "${MINE}.${HOME:-0}"');
  expect(await probeVersion({ command, prefixArgs: [] }, { ...env, MINE: "41" })).toBe("41.0");
});

it("a program that reads its input finds it empty", async () => {
  expect(await probe("cat; echo 1.2.3")).toBe("1.2.3");
});

it("a program that hangs is given up and killed", async () => {
  const command = program(`echo $$ > "${join(folder, "pids")}"; echo 1.2.3 >&2; exec sleep 60`);
  expect(await probeVersion({ command, prefixArgs: [] }, env)).toBeUndefined();
  await expectAllGone(1);
});

it("a program that hangs after its version is given up too, and the version counts", async () => {
  const command = program(`echo $$ > "${join(folder, "pids")}"; echo 1.2.3; exec sleep 60`);
  expect(await probeVersion({ command, prefixArgs: [] }, env)).toBe("1.2.3");
  await expectAllGone(1);
});

it("what a hanging program started is ended with it", async () => {
  const command = program(`sleep 60 & echo "$$ $!" > "${join(folder, "pids")}"; wait`);
  expect(await probeVersion({ command, prefixArgs: [] }, env)).toBeUndefined();
  await expectAllGone(2);
});

it("a program that prints without end is bounded", async () => {
  expect(await probe("echo 1.2.3; yes")).toBe("1.2.3");
});

it.each<[string, () => string]>([
  ["is not there", () => join(folder, "absent")],
  ["may not be executed", () => program("echo 1.2.3", 0o644)],
  ["is a directory", () => folder],
  ["is below a file", () => join(program("echo 1.2.3"), "tool")],
])("a program that %s has no version, and nothing is thrown", async (_name, command) => {
  expect(await probeVersion({ command: command(), prefixArgs: [] }, env)).toBeUndefined();
});

it("an environment too large for any program is no reason to throw", async () => {
  const command = program("echo 1.2.3");
  expect(await probeVersion({ command, prefixArgs: [] }, { ...env, LARGE: "x".repeat(3_000_000) })).toBeUndefined();
});

function program(script: string, mode = 0o755): string {
  const file = join(folder, "tool");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
  return file;
}

function probe(script: string): Promise<string | undefined> {
  return probeVersion({ command: program(script), prefixArgs: [] }, env);
}

function notedPids(): readonly number[] {
  const file = join(folder, "pids");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").map(Number) : [];
}

/** A killed process takes a moment to go. */
async function expectAllGone(count: number): Promise<void> {
  const pids = notedPids();
  expect(pids).toHaveLength(count);
  await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
}

function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
  return !["Z", "X", ""].includes(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0] ?? "");
}
