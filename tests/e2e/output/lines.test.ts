import { expect, it } from "vitest";
import { runProgram } from "../../support/clis/program-client.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure, expectNothingLeft } from "../../support/runs/run-expectations.ts";
import { startHost } from "../host-process.ts";
import type { MemoryReport } from "../hosts/measures-memory.ts";

const MEGABYTE = 1_000_000;

it("an answer written one byte at a time is the same answer", async () => {
  const run = await runProgram("byte-by-byte");
  expect(eventsOf(run.events, "native")).toEqual([]);
  await expectAnswer(run, "Grüße 👩‍👩‍👧‍👦 你好 שלום é");
});

it("lines may end with CR LF", async () => {
  const run = await runProgram("crlf");
  expect(eventsOf(run.events, "native")).toEqual([]);
  await expectAnswer(run, "All\r\ngood.");
});

it("a byte order mark in front of the first line is ignored", async () => {
  const run = await runProgram("bom");
  expect(eventsOf(run.events, "native")).toEqual([]);
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectAnswer(run, "All good.");
});

it("a raw line separator inside a string does not end the line", async () => {
  const run = await runProgram("line-separator");
  expect(eventsOf(run.events, "native")).toEqual([]);
  await expectAnswer(run, "one\u2028two\u2029three\u0085four");
});

it("terminal colours around the lines are removed", async () => {
  const run = await runProgram("colours");
  expect(eventsOf(run.events, "native")).toEqual([]);
  await expectAnswer(run, "All good.");
});

it("banners, broken JSON and unknown objects become native events, not answer", async () => {
  const run = await runProgram("banners");
  expect(eventsOf(run.events, "native").map(({ text, value }) => text ?? value)).toEqual([
    "Welcome to the program!",
    { type: "weather", sky: "clear" },
    "(node:1) Warning: {something} is old",
    "{ not json }",
  ]);
  await expectAnswer(run, "All good.");
});

it("binary garbage in front of an answer is ignored", async () => {
  const run = await runProgram("garbage");
  expect(eventsOf(run.events, "native").length).toBeGreaterThan(100);
  await expectAnswer(run, "All good.");
});

it("ten megabytes on stderr do not block the answer", async () => {
  await expectAnswer(await runProgram("floods-stderr"), "All good.");
});

it("of ten megabytes on stderr a failure keeps the last 8 kB", async () => {
  const run = await runProgram("floods-stderr", { request: { env: { EXIT_CODE: "1" } } });
  const failure = await expectFailure(run, "unknown", "unclassified");
  expect(failure.evidence.stderrTail).toMatch(/the last word on stderr\n?$/);
  expect(Buffer.byteLength(failure.evidence.stderrTail ?? "")).toBeLessThanOrEqual(8_192);
  expect(Buffer.byteLength(failure.evidence.stderrTail ?? "")).toBeGreaterThan(4_096);
});

it("a line of 100 MB is dropped with a warning, and the answer after it arrives", async () => {
  const growthBytes = await expectHugeLineDropped({ LINE_MEGABYTES: "100" });
  // Twice the limit of 64 MiB plus the runtime; holding the whole line and its text would take 300 MB.
  expect(growthBytes).toBeLessThan(200 * MEGABYTE);
});

it("a line of 400 MB costs no more memory than the limit on a line allows", async () => {
  const growthBytes = await expectHugeLineDropped({ LINE_MEGABYTES: "400", LINE_BYTES: "1048576" });
  expect(growthBytes).toBeLessThan(100 * MEGABYTE);
});

async function expectHugeLineDropped(env: Readonly<Record<string, string>>): Promise<number> {
  const host = startHost<MemoryReport>("measures-memory", env);
  const { events, growthBytes } = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  const [first, last] = [events[0], events.at(-1)];
  if (first?.type !== "run-start" || last?.type !== "run-end") throw new Error(`malformed run: ${JSON.stringify(events)}`);
  expect(eventsOf(events, "warning").map((event) => event.code)).toEqual(["line-too-long"]);
  expect(eventsOf(events, "text-delta").map((event) => event.text)).toEqual(["All good."]);
  expect(last.failure).toBeUndefined();
  expect([...eventsOf(events, "run-start"), ...eventsOf(events, "run-end")]).toHaveLength(2);
  await expectNothingLeft(first.runId);
  return growthBytes;
}
