import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { withoutNativeTools } from "../spec/provider/provider.ts";
import { createFakeCli, type FakeCli, type FakeStep } from "./fake-cli.ts";
import { findRunProcesses } from "./find-run-processes.ts";

const MARK = `test-fake-cli-${process.pid}`;
const clis: FakeCli[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const pid of findRunProcesses(MARK)) process.kill(pid, "SIGKILL");
  await expect.poll(() => findRunProcesses(MARK), { timeout: 10_000 }).toEqual([]);
  for (const cli of clis.splice(0)) cli.remove();
});

it("print writes a JSON value as a line", async () => {
  const { stdout, code } = await play([
    { do: "print", value: { a: "é\n" } },
    { do: "print", value: [1, null] },
  ]);
  expect(stdout.toString()).toBe('{"a":"é\\n"}\n[1,null]\n');
  expect(code).toBe(0);
});

it("write prints bytes unchanged, to stdout or stderr", async () => {
  const { stdout, stderr } = await play([
    { do: "write", text: "no newline é" },
    { do: "write", base64: Buffer.from([0, 255, 10]).toString("base64") },
    { do: "write", text: "error", to: "stderr" },
    { do: "write", base64: "/w==", to: "stderr" },
  ]);
  expect(stdout).toEqual(Buffer.concat([Buffer.from("no newline é"), Buffer.from([0, 255, 10])]));
  expect(stderr).toEqual(Buffer.concat([Buffer.from("error"), Buffer.from([255])]));
});

it("a line that is larger than any pipe buffer is printed completely", async () => {
  const value = "x".repeat(3_000_000);
  const { stdout } = await play([{ do: "print", value }]);
  expect(stdout.length).toBe(value.length + 3);
});

it("read waits for one line before the next step", async () => {
  const run = start([
    { do: "print", value: "asked" },
    { do: "read", what: "line" },
    { do: "print", value: "got it" },
  ]);
  await run.untilPrinted('"asked"\n');
  expect(run.printed()).toBe('"asked"\n');
  run.child.stdin?.write("an answer\n");
  await run.untilPrinted('"asked"\n"got it"\n');
});

it("read takes one line each time, also if several arrive at once", async () => {
  const run = start([
    { do: "read", what: "line" },
    { do: "print", value: 1 },
    { do: "read", what: "line" },
    { do: "print", value: 2 },
  ]);
  run.child.stdin?.write("one\ntwo\n");
  await run.untilPrinted("1\n2\n");
});

it("read waits for a line that no earlier read has taken", async () => {
  const cli = createFakeCli([
    { do: "read", what: "line" },
    { do: "print", value: 1 },
    { do: "read", what: "line" },
  ]);
  clis.push(cli);
  const run = follow(cli);
  run.child.stdin?.write("one\n");
  await run.untilPrinted("1\n");
  run.child.stdin?.write("two\n");
  await run.ended;
  expect(cli.calls()).toMatchObject([{ stdin: "one\ntwo\n" }]);
});

it("read takes a line that arrived before the step", async () => {
  const run = start([
    { do: "wait", ms: 600 },
    { do: "read", what: "line" },
    { do: "print", value: "read" },
  ]);
  run.child.stdin?.write("early\n");
  await run.untilPrinted('"read"\n');
});

it("read of all waits for the end of stdin", async () => {
  const { stdout, calls } = await play(
    [
      { do: "read", what: "all" },
      { do: "print", value: "done" },
    ],
    { stdin: "one\ntwo\nthree é" },
  );
  expect(stdout.toString()).toBe('"done"\n');
  expect(calls).toMatchObject([{ stdin: "one\ntwo\nthree é" }]);
});

it("wait does nothing for the given time", async () => {
  const before = Date.now();
  const { stdout } = await play([
    { do: "wait", ms: 200 },
    { do: "print", value: 1 },
  ]);
  expect(stdout.toString()).toBe("1\n");
  expect(Date.now() - before).toBeGreaterThanOrEqual(195);
});

it("after ignore-signals, SIGINT and SIGTERM have no effect", async () => {
  const run = start([{ do: "ignore-signals" }, { do: "print", value: 1 }, { do: "read", what: "line" }, { do: "exit", code: 5 }]);
  await run.untilPrinted("1\n");
  run.child.kill("SIGINT");
  run.child.kill("SIGTERM");
  run.child.stdin?.write("go\n");
  expect(await run.ended).toEqual({ code: 5, signal: null });
});

it("close-stdout closes stdout while the program goes on", async () => {
  const run = start([{ do: "print", value: 1 }, { do: "close-stdout" }, { do: "read", what: "line" }, { do: "exit", code: 4 }]);
  await new Promise((resolve) => run.child.stdout?.once("close", resolve));
  expect(run.printed()).toBe("1\n");
  expect(run.child.exitCode).toBeNull();
  run.child.stdin?.write("go\n");
  expect(await run.ended).toEqual({ code: 4, signal: null });
});

it.each([
  ["holds stdout open", {}, /^(?:pipe|socket):/],
  ["does not hold stdout open with holdStdout: false", { holdStdout: false }, /^\/dev\/null$/],
])("leave-process leaves a process in a session of its own that %s", async (_name, options, stdout) => {
  expect(await start([{ do: "leave-process", ms: 60_000, ...options }]).ended).toEqual({ code: 0, signal: null });
  const [left = 0, ...others] = findRunProcesses(MARK);
  expect(others).toEqual([]);
  expect(readlinkSync(`/proc/${left}/fd/1`)).toMatch(stdout);
  expect(sessionOf(left)).toBe(left);
});

it("exit ends the program with its code, and later steps do not run", async () => {
  const { code, stdout } = await play([
    { do: "exit", code: 7 },
    { do: "print", value: "never" },
  ]);
  expect([code, stdout.toString()]).toEqual([7, ""]);
});

it.each(["SIGKILL", "SIGTERM", "SIGSEGV"] as const)("die ends the program by %s and records the call", async (signal) => {
  const ended = await play([{ do: "die", signal }]);
  expect(ended).toMatchObject({ code: null, signal });
  expect(ended.calls).toHaveLength(1);
});

it("a program without steps exits at once, even if its stdin stays open", async () => {
  expect(await start([]).ended).toEqual({ code: 0, signal: null });
});

it("calls() returns the arguments, directory and input of each call, in order", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "coxswain-fake-cli-test-")));
  const cli = createFakeCli([{ do: "read", what: "all" }]);
  clis.push(cli);
  expect(cli.calls()).toEqual([]);
  await follow(cli, { args: ["-p", "with blank", ""], cwd: directory, stdin: "first" }).ended;
  await follow(cli, { cwd: directory, stdin: "" }).ended;
  rmSync(directory, { recursive: true });
  expect(cli.calls()).toEqual([
    { argv: ["-p", "with blank", ""], cwd: directory, stdin: "first" },
    { argv: [], cwd: directory, stdin: "" },
  ]);
});

it("as() replaces the provider's program, and host tools go by text", () => {
  const cli = createFakeCli([]);
  clis.push(cli);
  expect(cli.as(claude)).toEqual({ ...withoutNativeTools(claude), binary: { script: cli.script } });
});

it("remove() and the end of a using block remove all files; both may run", () => {
  const cli = createFakeCli([]);
  const folder = dirname(fileURLToPath(cli.script));
  expect(existsSync(folder)).toBe(true);
  cli.remove();
  cli.remove();
  expect(existsSync(folder)).toBe(false);
  let other = "";
  {
    using scoped = createFakeCli([]);
    other = dirname(fileURLToPath(scoped.script));
    expect(existsSync(other)).toBe(true);
  }
  expect(existsSync(other)).toBe(false);
});

type CallOptions = { readonly args?: readonly string[]; readonly cwd?: string; readonly stdin?: string };
type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
type Playing = {
  readonly child: ChildProcess;
  printed(): string;
  untilPrinted(text: string): Promise<void>;
  readonly ended: Promise<Exit>;
};

function start(steps: readonly FakeStep[]): Playing {
  const cli = createFakeCli(steps);
  clis.push(cli);
  return follow(cli);
}

async function play(steps: readonly FakeStep[], options: CallOptions = {}) {
  const cli = createFakeCli(steps);
  clis.push(cli);
  const { child, ended } = follow(cli, { stdin: "", ...options });
  const [stdout, stderr]: Buffer[][] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => stdout?.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr?.push(chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return { ...(await ended), stdout: Buffer.concat(stdout ?? []), stderr: Buffer.concat(stderr ?? []), calls: cli.calls() };
}

function follow(cli: FakeCli, { args = [], cwd = tmpdir(), stdin }: CallOptions = {}): Playing {
  const child = spawn(process.execPath, [fileURLToPath(cli.script), ...args], {
    cwd,
    env: { ...process.env, COXSWAIN_RUN: MARK },
  });
  children.push(child);
  child.stdin.on("error", () => {});
  if (stdin !== undefined) child.stdin.end(stdin);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  return {
    child,
    printed: () => printed,
    untilPrinted: (text) => expect.poll(() => printed, { timeout: 8_000 }).toBe(text),
    ended,
  };
}

function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
}
