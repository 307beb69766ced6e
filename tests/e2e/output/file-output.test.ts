import { readdirSync, readlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { createProgramClient, type ProgramOptions } from "../../support/clis/program-client.ts";
import { eventsOf, type FinishedRun, finishRun, watchRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

const LETTERS = 5_000_000;

it("stdout is an unlinked file that only the user can read", async () => {
  const run = await runByFile("describes-stdout");
  await expectAnswer(run, JSON.stringify({ isFile: true, mode: 0o600, names: 0, isOwn: true }));
});

it("ten of ten answers of five megabytes are whole when the program exits at once", { timeout: 180_000 }, async () => {
  const program = clientByFile("exits-at-once", { request: { env: { LETTERS: String(LETTERS) } } });
  for (let count = 0; count < 10; count += 1) {
    const run = await finishRun(program.start());
    await expectAnswer(run, "abcdefghij".repeat(LETTERS / 10));
  }
});

it("lines are read while the program runs", async () => {
  const program = clientByFile("answers-when-told");
  const run = watchRun(program.start());
  await run.begun;
  await program.tell("go on");
  await expectAnswer(await run.finished, "All good.");
});

it("an answer written one byte at a time is the same answer", async () => {
  const run = await runByFile("byte-by-byte");
  expect(eventsOf(run.events, "native")).toEqual([]);
  await expectAnswer(run, "Grüße 👩‍👩‍👧‍👦 你好 שלום é");
});

it("a program that closes stderr is read to its answer", async () => {
  await expectAnswer(await runByFile("closes-stderr"), "All good.");
});

it("a program that lingers after its answer is stopped before it ends by itself", async () => {
  const program = clientByFile("lingers");
  await expectAnswer(await finishRun(program.start()), "All good.");
  expect(await program.note()).toBeUndefined();
});

it("a program that exits without a terminal event has failed, and its text so far is kept", async () => {
  const run = await runByFile("stops-short", { request: { env: { EXIT_CODE: "0" } } });
  const failure = await expectFailure(run, "invalid_response", "no-terminal-event");
  expect(failure).toMatchObject({ partialText: "Half an answer", evidence: { exitCode: 0 } });
});

it("a program that is killed in the middle of a line has crashed, and its text so far is kept", async () => {
  const run = await runByFile("dies-mid-line", { request: { env: { EXIT_CODE: "SIGKILL" } } });
  const failure = await expectFailure(run, "unknown", "crashed");
  expect(failure).toMatchObject({ partialText: "Half an answer", evidence: { signal: "SIGKILL" } });
});

it("an abort during the answer keeps the text so far", async () => {
  const abort = new AbortController();
  const run = await finishRun(clientByFile("chatters").start({ signal: abort.signal }), (event) => {
    if (event.type === "text-delta") abort.abort();
  });
  const failure = await expectFailure(run, "cancelled", "interrupted");
  expect(failure.partialText).toMatch(/^(word )+$/);
});

it("a grandchild that holds stdout open does not hide the end of the program", async () => {
  await expectFailure(await runByFile("leaves-child-on-stdout"), "invalid_response", "no-terminal-event");
});

it("a grandchild that holds stdout open does not delay the answer", async () => {
  await expectAnswer(await runByFile("leaves-child-on-stdout", { request: { env: { ANSWER: "1" } } }), "All good.");
});

it("a program that stops printing ends by the idle timeout", async () => {
  const run = await runByFile("silent-after-init", { request: { timeouts: { idleMs: 2_000 } } });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("a program that closes stdout and lives on ends by the idle timeout, because a file has no EOF", {
  timeout: 30_000,
}, async () => {
  const run = await runByFile("closes-stdout", { request: { timeouts: { idleMs: 2_000 } } });
  const failure = await expectFailure(run, "timeout", "idle-timeout");
  expect(failure.partialText).toBe("Half an answer");
});

it("a blocked event loop of the host does not count as idle time of the program", async () => {
  const abort = new AbortController();
  const program = clientByFile("chatters", { request: { timeouts: { idleMs: 1_500 } } });
  let [wasBusy, saidAfter] = [false, 0];
  const run = await finishRun(program.start({ signal: abort.signal }), (event) => {
    if (event.type !== "text-delta") return;
    if (!wasBusy) beBusy(2_000);
    else saidAfter += 1;
    wasBusy = true;
    if (saidAfter === 150) abort.abort();
  });
  await expectFailure(run, "cancelled", "interrupted");
});

it("a finished run leaves no open file behind", async () => {
  const program = clientByFile("answers");
  await expectAnswer(await finishRun(program.start()), "All good.");
  await program.client.close();
  expect(openFiles().filter((path) => path.includes("coxswain-") && path.includes("stdout"))).toEqual([]);
});

function clientByFile(program: string, options: ProgramOptions = {}): ReturnType<typeof createProgramClient> {
  return createProgramClient(program, { ...options, spawn: { ...options.spawn, stdout: "file" } });
}

function runByFile(program: string, options: ProgramOptions = {}): Promise<FinishedRun> {
  return finishRun(clientByFile(program, options).start());
}

function beBusy(forMs: number): void {
  for (const until = performance.now() + forMs; performance.now() < until; );
}

function openFiles(): readonly string[] {
  return readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
}
