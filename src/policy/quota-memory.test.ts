import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SpentQuota } from "../spec/client-options.ts";
import { keyOf, QuotaMemory, type QuotaOwner } from "./quota-memory.ts";

const NOW = Date.parse("2031-05-06T07:08:09.000Z");
let folder = "";
let memory = new QuotaMemory({});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-quota-"));
  memory = open();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("an entry of one memory is found by another until it expires", () => {
  const spent = spentBy({ provider: "a" });
  memory.remember(spent);
  expect(open().find({ provider: "a" }, NOW)).toEqual(spent);
  expect(open().find({ provider: "a" }, NOW + 1000)).toBeUndefined();
  expect(open().find({ provider: "b" }, NOW)).toBeUndefined();
});

it.each<[QuotaOwner, QuotaOwner]>([
  [{ provider: "a" }, { provider: "A" }],
  [{ provider: "a/b" }, { provider: "a_b" }],
  [{ provider: "a", profile: "x" }, { provider: "a" }],
  [
    { provider: "a", profile: "x" },
    { provider: "a", model: "x" },
  ],
  [{ provider: "a", account: "0a1b2c3d4e5f" }, { provider: "a" }],
  [
    { provider: "a", profile: "p", model: "m" },
    { provider: "a", profile: "p" },
  ],
])("%j and %j are different owners", (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
  memory.remember(spentBy(one));
  expect(memory.find(other, NOW)).toBeUndefined();
  memory.remember(spentBy(other));
  memory.forget(one);
  expect(memory.find(one, NOW)).toBeUndefined();
  expect(memory.find(other, NOW)).toBeDefined();
});

it("a newer entry replaces an older one", () => {
  memory.remember(spentBy({ provider: "a" }));
  const later = spentBy({ provider: "a" }, NOW + 5000);
  memory.remember(later);
  expect(memory.list(NOW)).toEqual([later]);
});

it("a presumed quota is known to this memory only", () => {
  memory.remember({ ...spentBy({ provider: "a" }), isPresumed: true });
  expect(memory.find({ provider: "a" }, NOW)).toMatchObject({ isPresumed: true });
  expect(open().list(NOW)).toEqual([]);
  memory.forget({ provider: "a" });
  expect(memory.find({ provider: "a" }, NOW)).toBeUndefined();
});

it("the list begins with the soonest reset, and expired files are removed", () => {
  memory.remember(spentBy({ provider: "late" }, NOW + 3000));
  memory.remember(spentBy({ provider: "soon" }, NOW + 1000));
  memory.remember({ ...spentBy({ provider: "between" }, NOW + 2000), isPresumed: true });
  expect(memory.list(NOW).map(({ provider }) => provider)).toEqual(["soon", "between", "late"]);
  expect(memory.list(NOW + 1500).map(({ provider }) => provider)).toEqual(["between", "late"]);
  expect(files()).toHaveLength(1);
});

it.each([
  ["cut off", '{"provider":"a","resetAt":"2031-'],
  ["empty", ""],
  ["null", "null"],
  ["of another shape", '{"provider":5}'],
  ["with a time that is none", JSON.stringify({ ...spentBy({ provider: "a" }), resetAt: "soon" })],
  ["of another owner", JSON.stringify(spentBy({ provider: "b" }))],
  ["with an account that is no text", JSON.stringify({ ...spentBy({ provider: "a" }), account: 5 })],
])("a file that is %s counts as absent, and can be replaced and forgotten", (_name, content) => {
  memory.remember(spentBy({ provider: "a" }));
  const [file = ""] = files();
  writeFileSync(join(directory(), file), content);
  expect(memory.find({ provider: "a" }, NOW)).toBeUndefined();
  expect(memory.list(NOW)).toEqual([]);
  memory.remember(spentBy({ provider: "a" }));
  expect(memory.list(NOW)).toHaveLength(1);
  memory.forget({ provider: "a" });
  expect(memory.list(NOW)).toEqual([]);
});

it("a temporary file that a host left is not an entry, and is removed when it is old", () => {
  memory.remember(spentBy({ provider: "a" }, NOW + 3_600_000));
  const left = join(directory(), `${files()[0]}.1234-0a1b2c3d`);
  writeFileSync(left, "{");
  utimesSync(left, NOW / 1000, NOW / 1000);
  expect(memory.list(NOW + 1000)).toHaveLength(1);
  expect(files()).toHaveLength(2);
  expect(memory.list(NOW + 120_000)).toHaveLength(1);
  expect(files()).toHaveLength(1);
});

it("only their owner can read the files", () => {
  memory.remember(spentBy({ provider: "a" }));
  const [file = ""] = files();
  expect(statSync(join(directory(), file)).mode & 0o077).toBe(0);
  expect(statSync(directory()).mode & 0o077).toBe(0);
});

it("when no file can be written only this memory has the entry", () => {
  writeFileSync(join(folder, "coxswain"), "a file where the directory should be");
  memory.remember(spentBy({ provider: "a" }));
  expect(memory.find({ provider: "a" }, NOW)).toMatchObject({ provider: "a" });
  expect(memory.list(NOW)).toHaveLength(1);
  expect(open().list(NOW)).toEqual([]);
  memory.forget({ provider: "a" });
  expect(memory.list(NOW)).toEqual([]);
});

function open(): QuotaMemory {
  return new QuotaMemory({ XDG_STATE_HOME: folder, LOCALAPPDATA: folder });
}

function directory(): string {
  return join(folder, "coxswain", "quota");
}

function files(): readonly string[] {
  return readdirSync(directory());
}

function spentBy(owner: QuotaOwner, until = NOW + 1000): SpentQuota {
  const times = { resetAt: new Date(until).toISOString(), seenAt: new Date(NOW).toISOString() };
  return { ...owner, ...times, message: "The limit is reached." };
}
