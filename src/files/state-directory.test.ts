import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { KnownVersions } from "../launch/known-versions.ts";
import { QuotaMemory } from "../policy/quota-memory.ts";
import { startProcess } from "../process/child/start-process.ts";
import { privateHome } from "./private-home.ts";
import { compileCache, isOwnState, ownDirectory, privateDirectory, stateDirectory, userHome } from "./state-directory.ts";

let folder = "";
let env: Readonly<Record<string, string>> = {};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-state-"));
  env = { XDG_STATE_HOME: folder };
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const isRoot = process.getuid?.() === 0;

/** Ways in which somebody else can have the state directory, and the words of the error. */
const FOREIGN: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ["a link", (path) => symlinkSync(elsewhere(), path), /is a symbolic link$/],
  ["a file", (path) => writeFileSync(path, ""), /is not a directory$/],
  ["writable for all", (path) => makeWith(path, 0o777), /can be written by other users \(mode 777\)$/],
  ["writable for its group", (path) => makeWith(path, 0o720), /can be written by other users \(mode 720\)$/],
  // Only root can give a directory away.
  ...(isRoot ? [["somebody else's", (path: string) => give(path), /belongs to another user \(4711, not 0\)$/] as const] : []),
];

function elsewhere(): string {
  const path = join(folder, "elsewhere");
  mkdirSync(path);
  return path;
}

function makeWith(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

function give(path: string): void {
  mkdirSync(path);
  chownSync(path, 4711, 4711);
}

const SPENT = { provider: "x", resetAt: "2026-01-02T00:00:00Z", seenAt: "2026-01-01T00:00:00Z", message: "Spent." };
const PLAN = { provider: "x", command: "true", args: [], env: {}, stripEnv: [], stdout: "pipe", tempFiles: [] } as const;

describe.each(FOREIGN)("a state directory that is %s", (_name, make, words) => {
  it("is refused, and nothing is written to it", () => {
    make(join(folder, "coxswain"));
    expect(() => privateDirectory(env)).toThrow(words);
    expect(() => privateHome({ env, provider: "x", real: folder, links: [], files: [] })).toThrow(words);
    expect(isOwnState(stateDirectory(env))).toBe(false);
    expect(compileCache(env)).toEqual({});
    const memory = new QuotaMemory(env);
    memory.remember(SPENT);
    expect(memory.list(Date.parse(SPENT.seenAt))).toEqual([SPENT]);
    expect(new QuotaMemory(env).list(Date.parse(SPENT.seenAt))).toEqual([]);
    for (const name of ["empty", "homes", "quota", "compiled"]) expect(existsSync(join(folder, "coxswain", name))).toBe(false);
  });

  it("is refused below a good state directory too", () => {
    mkdirSync(join(folder, "coxswain"), { mode: 0o700 });
    make(join(folder, "coxswain", "empty"));
    expect(() => ownDirectory(env, "empty")).toThrow(words);
  });

  it("ends a run with what happened and what to do", () => {
    make(join(folder, "coxswain"));
    expect(startProcess({ ...PLAN, cwd: { kind: "private" } }, "host.1", env)).toMatchObject({
      code: "state-unusable",
      message: expect.stringContaining(join(folder, "coxswain")),
      hint: expect.stringMatching(/XDG_STATE_HOME|chmod 700/),
    });
  });
});

describe.each([
  ["below a file", (): string => join(folder, "file", "state"), "ENOTDIR"],
  ["below /proc", (): string => "/proc/coxswain", "ENOENT"],
] as const)("a state directory %s", (_name, place, errno) => {
  it.skipIf(errno === "ENOENT" && process.platform !== "linux")("cannot be created, which is said without a hang", () => {
    writeFileSync(join(folder, "file"), "");
    const nowhere = { XDG_STATE_HOME: place() };
    expect(() => ownDirectory(nowhere, "empty")).toThrow(`${place()}/coxswain cannot be created (${errno})`);
    expect(compileCache(nowhere)).toEqual({});
    const versions = new KnownVersions(nowhere);
    expect(versions.isFirstNotice(claude, "9.9.9")).toBe(true);
    versions.note(claude, { command: process.execPath, prefixArgs: [] }, "9.9.9");
    const memory = new QuotaMemory(nowhere);
    memory.remember(SPENT);
    expect(new QuotaMemory(nowhere).list(Date.parse(SPENT.seenAt))).toEqual([]);
    expect(startProcess({ ...PLAN, cwd: { kind: "private" } }, "host.1", nowhere)).toMatchObject({
      code: "state-unusable",
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
  });
});

it("a directory of one's own is used, even if the one above it is a link", () => {
  symlinkSync(elsewhere(), join(folder, "link"));
  const path = ownDirectory({ XDG_STATE_HOME: join(folder, "link") }, "empty");
  expect(lstatSync(path).mode & 0o777).toBe(0o700);
});

describe("an empty or relative variable", () => {
  it("of this process is no home either", () => {
    vi.stubEnv("HOME", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(userHome(process.env)).toBe(userInfo().homedir);
  });

  it.each(["", ".", "home"])("%j is no home and no state directory", (value) => {
    expect(userHome({ HOME: value })).toBe(homedir());
    expect(userHome({ HOME: value, USERPROFILE: folder })).toBe(folder);
    expect(stateDirectory({ HOME: folder, XDG_STATE_HOME: value })).toBe(join(folder, ".local/state/coxswain"));
  });
});
