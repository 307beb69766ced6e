import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isRunning } from "../process/tree/signals.ts";
import { HOST_ID, hostDirectory, hostOfName, makeRunDirectory, runOfName, temporaryDirectory } from "./host-directory.ts";
import { removeQuietly } from "./leftovers.ts";

let folder = "";
let maskBefore = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-test-"));
  // Directories must be private with any umask of the user.
  maskBefore = process.umask(0);
});

afterEach(() => {
  process.umask(maskBefore);
  rmSync(folder, { recursive: true, force: true });
});

it("the directory of a host is below the temporary directory of the environment, and its name says that the host is alive", () => {
  const path = hostDirectory({ TMPDIR: folder });
  expect(dirname(path)).toBe(folder);
  const host = hostOfName(basename(path));
  expect(host).toMatchObject({ pid: process.pid, hostId: HOST_ID });
  expect(host !== undefined && isRunning(host)).toBe(true);
});

it("the directory of a process is short enough for sockets below it", () => {
  const long = join(folder, "a-long-name-of-a-directory".repeat(3));
  mkdirSync(long);
  for (const base of [folder, long]) {
    const path = `${hostDirectory({ TMPDIR: base })}/9999.9/tmp`;
    expect(Buffer.byteLength(`${path}/cc-socks/4194304.sock`)).toBeLessThanOrEqual(103);
  }
});

it.each(["relative", "/dev/null", "/nowhere"])("%s is no temporary directory", (name) => {
  expect(hostDirectory({ TMPDIR: name })).toBe(hostDirectory({}));
});

it("a directory of a process is new, with access for its owner only, and the last one takes that of the host along", () => {
  const host = hostDirectory({ TMPDIR: folder });
  const [first, second] = [makeRunDirectory(host, `${HOST_ID}.1`), makeRunDirectory(host, `${HOST_ID}.1+2`)];
  expect([first, second].map((path) => basename(path))).toEqual(["1", "1.2"]);
  expect([host, first, second].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  const named = hostOfName(basename(host));
  expect(named && runOfName(named, "1.2")).toBe(`${HOST_ID}.1+2`);
  removeQuietly([first]);
  expect(readdirSync(host)).toEqual(["1.2"]);
  removeQuietly([second]);
  expect(readdirSync(folder)).toEqual([]);
});

it("a directory that somebody made readable is private again, and a link is refused", () => {
  const host = hostDirectory({ TMPDIR: folder });
  mkdirSync(host);
  chmodSync(host, 0o755);
  makeRunDirectory(host, "other");
  expect(modeOf(host)).toBe(0o700);
  rmSync(host, { recursive: true });
  symlinkSync(tmpdir(), host);
  expect(() => makeRunDirectory(host, `${HOST_ID}.3`)).toThrow("is not a directory of this user");
});

it("each temporary directory is new, with access for its owner only", () => {
  const [first, second] = [temporaryDirectory(), temporaryDirectory()];
  expect(first).not.toBe(second);
  expect([first, second].map(modeOf)).toEqual([0o700, 0o700]);
  removeQuietly([first, second]);
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
