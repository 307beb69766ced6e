import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hostDirectory } from "../../files/host-directory.ts";
import { findProcess, GUARDIAN_MARKER, RUN_MARKER } from "../tree/process-table.ts";
import { sweepDeadHosts } from "./sweep-hosts.ts";

let base = "";
let children: ChildProcess[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "cox-test-"));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(base, { recursive: true, force: true });
});

/** The name of the directory of another host, in this pid namespace. */
function nameOf(pid: number, startTime: number, random = "0123abcd"): string {
  const [, place] = basename(hostDirectory()).split("-");
  return `cox-${place}-${Math.round(startTime / 10).toString(36)}-${pid}-${random}`;
}

function plant(name: string): string {
  mkdirSync(join(base, name, "3.2/files"), { recursive: true, mode: 0o700 });
  writeFileSync(join(base, name, "3.2/files/mcp.json"), "secret");
  return join(base, name);
}

function start(env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn("sleep", ["60"], { env: { PATH: process.env["PATH"] ?? "", ...env }, stdio: "ignore", detached: true });
  children.push(child);
  return child;
}

/** The pid and the start time of a process that has exited. */
async function deadHost(): Promise<{ pid: number; startTime: number }> {
  const child = start({});
  const pid = child.pid ?? 0;
  const startTime = findProcess(pid)?.startTime ?? 0;
  child.kill("SIGKILL");
  await once(child, "exit");
  return { pid, startTime };
}

it("the directory of a dead host is removed, and its processes are ended", async () => {
  const { pid, startTime } = await deadHost();
  plant(nameOf(pid, startTime));
  const left = start({ [RUN_MARKER]: `${pid}-0123abcd.3+2` });
  const ended = once(left, "exit");
  await Promise.all([sweepDeadHosts(base, undefined), sweepDeadHosts(base, undefined)]);
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(readdirSync(base)).toEqual([]);
});

it("a process with the pid of a dead host is not that host", async () => {
  const other = start({});
  const { startTime = 0 } = findProcess(other.pid ?? 0) ?? {};
  plant(nameOf(other.pid ?? 0, startTime - 50));
  await sweepDeadHosts(base, undefined);
  expect(readdirSync(base)).toEqual([]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

it("what a living host, its guardian, another machine or another user may use is left alone", async () => {
  const living = start({});
  const kept = [plant(nameOf(living.pid ?? 0, findProcess(living.pid ?? 0)?.startTime ?? 0))];
  const { pid, startTime } = await deadHost();
  start({ [GUARDIAN_MARKER]: `${pid}-aaaaaaaa` });
  kept.push(plant(nameOf(pid, startTime, "aaaaaaaa")));
  kept.push(plant(nameOf(pid, startTime, "bbbbbbbb").replace(/^cox-..../, "cox-zzzz")));
  kept.push(plant(nameOf(pid, startTime, "cccccccc")));
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "elsewhere/file"), "");
  symlinkSync(join(base, "elsewhere"), join(base, nameOf(pid, startTime, "dddddddd")));
  kept.push(join(base, "elsewhere/file"), join(base, nameOf(pid, startTime, "dddddddd")));
  if (process.getuid?.() === 0) {
    const foreign = plant(nameOf(pid, startTime, "eeeeeeee"));
    chownSync(foreign, 65_534, 65_534);
    kept.push(foreign);
  }
  await sweepDeadHosts(base, `${pid}-cccccccc.7`);
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
});

it("a guardian whose host goes on without it at once removes what dead hosts left", async () => {
  const { pid, startTime } = await deadHost();
  plant(nameOf(pid, startTime));
  const own = join(base, basename(hostDirectory()));
  const words = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "guardian-main.ts")];
  const guardian = spawn(process.execPath, words, { env: { PATH: process.env["PATH"] }, stdio: ["pipe", "ignore", "inherit"] });
  children.push(guardian);
  const lines = [{ op: "directory", path: own }, { op: "leave" }].map((message) => `${JSON.stringify(message)}\n`);
  guardian.stdin?.end(lines.join(""));
  expect(await once(guardian, "exit")).toEqual([0, null]);
  expect(readdirSync(base)).toEqual([]);
});
