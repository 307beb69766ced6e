import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunEvent } from "../spec/wire/events.ts";
import { BatchQueue, type Spill } from "./batch-queue.ts";

let folder = "";
let temporaryFolderBefore: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-batch-queue-"));
  temporaryFolderBefore = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
});

afterEach(() => {
  if (temporaryFolderBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryFolderBefore;
  rmSync(folder, { recursive: true, force: true });
});

it("batches are returned in the order of their push", async () => {
  const queue = new BatchQueue(1_000);
  const batches = [batch(0), batch(1), batch(2)];
  for (const each of batches) queue.push(each, 1);
  queue.end();
  expect(await readAll(queue)).toEqual(batches);
});

it("after the last batch next() always returns undefined", async () => {
  const queue = new BatchQueue(1_000);
  queue.push(batch(0), 1);
  queue.end();
  expect(await queue.next()).toEqual(batch(0));
  expect([await queue.next(), await queue.next()]).toEqual([undefined, undefined]);
});

it("a waiting reader gets the next batch", async () => {
  const queue = new BatchQueue(0);
  const waiting = queue.next();
  const given = batch(0);
  queue.push(given, 1_000_000);
  expect(await waiting).toBe(given);
});

it("end() wakes a waiting reader", async () => {
  const queue = new BatchQueue(1_000);
  const waiting = queue.next();
  queue.end();
  expect(await waiting).toBeUndefined();
});

it("concurrent readers each get a batch, in the order of their calls", { timeout: 5_000 }, async () => {
  const queue = new BatchQueue(1_000);
  const waiting = [queue.next(), queue.next(), queue.next()];
  queue.push(batch(0), 1);
  queue.push(batch(1), 1);
  queue.end();
  expect(await Promise.all(waiting)).toEqual([batch(0), batch(1), undefined]);
});

it("batches up to the limit stay in memory; one byte more goes to a file", async () => {
  const queue = new BatchQueue(100);
  const given = [batch(0), batch(1), batch(2)];
  queue.push(given[0] ?? [], 60);
  queue.push(given[1] ?? [], 40);
  expect(openSpills()).toHaveLength(0);
  queue.push(given[2] ?? [], 1);
  expect(openSpills()).toHaveLength(1);
  expect([await queue.next(), await queue.next()].map((each, index) => each === given[index])).toEqual([true, true]);
  const spilled = await queue.next();
  expect(spilled).toEqual(given[2]);
  expect(spilled).not.toBe(given[2]);
});

it("a read batch frees its memory for others", async () => {
  const queue = new BatchQueue(100);
  for (let index = 0; index < 5; index += 1) {
    const given = batch(index);
    queue.push(given, 100);
    expect(await queue.next()).toBe(given);
  }
});

it("a batch above the limit goes to the file even if the queue is empty", async () => {
  const queue = new BatchQueue(100);
  const given = batch(0);
  queue.push(given, 101);
  const read = await queue.next();
  expect(read).toEqual(given);
  expect(read).not.toBe(given);
});

it("the order is the same across memory and file, with alternating reads and writes", async () => {
  const queue = new BatchQueue(30);
  const read: unknown[] = [];
  let written = 0;
  for (let round = 0; round < 40; round += 1) {
    for (let count = 0; count <= round % 7; count += 1) queue.push(batch(written++), 10);
    for (let count = 0; count < 3 && read.length < written; count += 1) read.push(await queue.next());
  }
  queue.end();
  read.push(...(await readAll(queue)));
  expect(read).toEqual(Array.from({ length: written }, (_, index) => batch(index)));
});

it("batches in the file can be read after end()", async () => {
  const queue = new BatchQueue(0);
  for (let index = 0; index < 3; index += 1) queue.push(batch(index), 1);
  queue.end();
  expect(await readAll(queue)).toEqual([batch(0), batch(1), batch(2)]);
});

it("the file is never visible in the temporary folder and is closed when it is empty", async () => {
  const queue = new BatchQueue(0);
  queue.push(batch(0), 1);
  queue.push(batch(1), 1);
  expect(readdirSync(folder)).toEqual([]);
  expect(openSpills()).toHaveLength(1);
  await queue.next();
  await queue.next();
  expect(openSpills()).toHaveLength(0);
  queue.push(batch(2), 1);
  expect(await queue.next()).toEqual(batch(2));
  expect(openSpills()).toHaveLength(0);
});

it("if no file can be created, nothing is thrown and nothing is lost", async () => {
  process.env["TMPDIR"] = join(folder, "absent");
  const queue = new BatchQueue(10);
  for (let index = 0; index < 3; index += 1) expect(() => queue.push(batch(index), 10)).not.toThrow();
  queue.end();
  expect(await readAll(queue)).toEqual([batch(0), batch(1), batch(2)]);
});

it("on a full disk batches wait in memory and come after those in the file", () => {
  expect(readWithFileLimit([1, 1, 100_000, 1, 100_000, 1])).toBe("[0,1,2,3,4,5]");
});

it("if not even the first batch can be written, later batches are not lost", () => {
  expect(readWithFileLimit([100_000, 1, 1])).toBe("[0,1,2]");
});

it("discard() drops all batches, also later ones", async () => {
  const spills = new Set<Spill>();
  const queue = new BatchQueue(10, spills);
  for (let index = 0; index < 3; index += 1) queue.push(batch(index), 10);
  expect([spills.size, openSpills().length]).toEqual([1, 1]);
  queue.discard();
  queue.push(batch(3), 10);
  expect([spills.size, openSpills().length]).toEqual([0, 0]);
  queue.end();
  expect(await queue.next()).toBeUndefined();
});

it("push() after end() adds nothing", async () => {
  const queue = new BatchQueue(10);
  queue.push(batch(0), 1);
  queue.end();
  queue.push(batch(1), 1);
  expect(await readAll(queue)).toEqual([batch(0)]);
});

it("the owner of the spills may close them, and the queue then ends with a cancelled run", async () => {
  const spills = new Set<Spill>();
  const queue = new BatchQueue(10, spills);
  for (let index = 0; index < 3; index += 1) queue.push(batch(index), 10);
  for (const spill of spills) spill.close();
  queue.push(batch(3), 10);
  queue.end();
  expect(openSpills()).toEqual([]);
  expect(await readAll(queue)).toMatchObject([
    batch(0),
    [{ type: "run-end", finish: "cancelled", failure: { code: "interrupted" }, seq: 1 }],
  ]);
});

it.each<[string, (path: string) => void]>([
  ["became too short", (path) => truncateSync(path, 10)],
  ["was overwritten", (path) => writeFileSync(path, "{".repeat(200))],
])("if the file %s, the queue ends with a failure, and no later batch follows", async (_name, spoil) => {
  let losses = 0;
  const queue = new BatchQueue(10, new Set(), () => (losses += 1));
  for (let index = 0; index < 3; index += 1) queue.push(batch(index), 10);
  const [spill] = openSpills();
  spoil(`/proc/self/fd/${spill}`);
  expect(await queue.next()).toEqual(batch(0));
  expect(await queue.next()).toMatchObject([
    {
      type: "run-end",
      finish: "error",
      failure: { code: "state-unusable", message: expect.stringContaining("are lost") },
      seq: 1,
    },
  ]);
  queue.push(batch(3), 1);
  expect([await queue.next(), losses, queue.lost?.code, openSpills()]).toEqual([undefined, 1, "state-unusable", []]);
});

function batch(seq: number): readonly RunEvent[] {
  return [{ type: "native", text: `line ${seq} é👍`, seq, atMs: 0 }];
}

async function readAll(queue: BatchQueue): Promise<readonly unknown[]> {
  const read: unknown[] = [];
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) read.push(next);
  return read;
}

/** The open spill files of this process; they have no name. */
/** The descriptors of the open files. */
function openSpills(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`);
      return target.startsWith(folder) ? [name] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Reads batches of these lengths in a process with a file size limit of 8 kB, which acts like a full disk; returns their numbers.
 */
function readWithFileLimit(lengths: readonly number[]): string {
  const script = `
    const { BatchQueue } = await import(${JSON.stringify(import.meta.resolve("./batch-queue.ts"))});
    const queue = new BatchQueue(0);
    const read = [];
    for (const [seq, length] of ${JSON.stringify(lengths)}.entries()) queue.push([{ type: "native", text: "x".repeat(length), seq }], 1);
    queue.end();
    for (let next = await queue.next(); next !== undefined; next = await queue.next()) read.push(next[0].seq);
    process.stdout.write(JSON.stringify(read));`;
  const limited = ["-c", 'ulimit -f 16 && exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout, stderr } = spawnSync("sh", limited, { encoding: "utf8" });
  return stdout || stderr;
}
