import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunEvent } from "../spec/wire/events.ts";
import { Spill } from "./batch-queue.ts";

let folder = "";
let spill: Spill;
let temporaryFolderBefore: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-spill-"));
  temporaryFolderBefore = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  spill = new Spill();
});

afterEach(() => {
  if (openFiles().length > 0) spill.close();
  if (temporaryFolderBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryFolderBefore;
  rmSync(folder, { recursive: true, force: true });
});

it("a new spill is empty", () => {
  expect(spill.isEmpty).toBe(true);
});

it("batches are returned first in, first out", () => {
  const batches = [[native("a")], [native("b"), native("c")], [], [native("d")]];
  for (const batch of batches) spill.push(batch);
  expect(spill.isEmpty).toBe(false);
  expect(batches.map(() => spill.shift())).toEqual(batches);
  expect(spill.isEmpty).toBe(true);
});

it("writes and reads may alternate", () => {
  const read: unknown[] = [];
  for (let index = 0; index < 200; index += 1) {
    spill.push([native(`${index} ${"x".repeat(index * 7)}`)]);
    if (index % 3 === 2) read.push(spill.shift(), spill.shift());
  }
  while (!spill.isEmpty) read.push(spill.shift());
  expect(read).toEqual(Array.from({ length: 200 }, (_, index) => [native(`${index} ${"x".repeat(index * 7)}`)]));
});

it("every text is returned unchanged: long texts, multi-byte characters, line ends, unpaired surrogates", () => {
  const texts = ["é👩‍👩‍👧‍👦你好".repeat(200_000), "a\nb\r\nc\u2028d\0e", "\ud83d alone \udc4d", ""];
  spill.push(texts.map(native));
  expect(spill.shift()).toEqual(texts.map(native));
});

it("nothing is visible in the temporary folder, and only the owner may read the file", () => {
  spill.push([native("secret")]);
  expect(readdirSync(folder)).toEqual([]);
  const [file] = openFiles();
  expect(file?.target).toMatch(/events \(deleted\)$/);
  expect(statSync(`/proc/self/fd/${file?.descriptor}`).mode & 0o777).toBe(0o600);
});

it("two spills are independent", () => {
  const other = new Spill();
  spill.push([native("one")]);
  other.push([native("two")]);
  expect([spill.shift(), other.shift()]).toEqual([[native("one")], [native("two")]]);
  other.close();
});

it("shift() of an empty spill returns undefined", () => {
  expect(spill.shift()).toBeUndefined();
  spill.push([native("a")]);
  spill.shift();
  expect(spill.shift()).toBeUndefined();
});

it("a closed spill stores nothing, has lost its batches and can be closed again", () => {
  spill.push([native("unread")]);
  spill.close();
  spill.close();
  expect(spill.push([native("late")])).toBe(false);
  expect(() => spill.shift()).toThrow("closed");
  expect(spill.isEmpty).toBe(true);
});

it("open() returns undefined if no file can be created", () => {
  process.env["TMPDIR"] = join(folder, "absent");
  expect(Spill.open()).toBeUndefined();
});

it("a batch that is no longer in the file is lost", () => {
  spill.push([native("x".repeat(10_000))]);
  truncateSync(`/proc/self/fd/${openFiles()[0]?.descriptor}`, 5_000);
  expect(() => spill.shift()).toThrow("too short");
});

it("a batch that was overwritten is lost", () => {
  spill.push([native("x")]);
  writeFileSync(`/proc/self/fd/${openFiles()[0]?.descriptor}`, "{".repeat(100));
  expect(() => spill.shift()).toThrow(SyntaxError);
});

it("after close() the file is removed, read or not", () => {
  spill.push([native("unread")]);
  expect(openFiles()).toHaveLength(1);
  spill.close();
  expect(openFiles()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

function native(text: string): RunEvent {
  return { type: "native", text, seq: 0, atMs: 0 };
}

function openFiles(): readonly { readonly descriptor: string; readonly target: string }[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(folder) ? [{ descriptor, target }] : [];
    } catch {
      return [];
    }
  });
}
