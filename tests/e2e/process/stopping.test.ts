import { expect, it } from "vitest";
import { createProgramClient } from "../../support/clis/program-client.ts";
import { processesOfRun, untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { signalProcess } from "../../support/processes/signal-process.ts";
import { finishRun, watchRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

it("an abort ends a program that ignores SIGINT and SIGTERM, after sending both", async () => {
  const program = createProgramClient("stubborn", { spawn: { stopSignal: "SIGINT" } });
  const abort = new AbortController();
  const run = watchRun(program.start({ signal: abort.signal }));
  expect(await processesOfRun(await run.begun)).toHaveLength(1);
  abort.abort();
  await expectFailure(await run.finished, "cancelled", "interrupted");
  expect((await program.note())?.split("\n")[0]).toBe("SIGINT");
});

it("a provider can have SIGTERM sent first", async () => {
  const program = createProgramClient("stubborn", { spawn: { stopSignal: "SIGTERM" } });
  const run = watchRun(program.start());
  await run.begun;
  await program.client.close();
  await expectFailure(await run.finished, "cancelled", "interrupted");
  expect((await program.note())?.split("\n")[0]).toBe("SIGTERM");
});

it("a program that cleans up on SIGINT gets the time for it", async () => {
  const program = createProgramClient("tidies-up");
  const abort = new AbortController();
  const run = watchRun(program.start({ signal: abort.signal }));
  await run.begun;
  abort.abort();
  await expectFailure(await run.finished, "cancelled", "interrupted");
  expect(await program.note()).toBe("tidied");
});

it("a program that is stopped (SIGSTOP) is ended like any other: it can clean up, and close() does not wait for more", async () => {
  const program = createProgramClient("tidies-up");
  const run = watchRun(program.start());
  const [pid = 0] = await processesOfRun(await run.begun);
  signalProcess(pid, "SIGSTOP");
  await program.client.close();
  await expectFailure(await run.finished, "cancelled", "interrupted");
  expect(await program.note()).toBe("tidied");
  expect(isAlive(pid)).toBe(false);
});

it("a clock ends a program that is stopped", async () => {
  const program = createProgramClient("silent-after-init", { request: { timeouts: { idleMs: 500 } } });
  const run = watchRun(program.start());
  const [pid = 0] = await processesOfRun(await run.begun);
  signalProcess(pid, "SIGSTOP");
  await expectFailure(await run.finished, "timeout", "idle-timeout");
  await untilGone(async () => (isAlive(pid) ? [pid] : []));
});

it("an abort before the start ends the run and nothing is started", async () => {
  const program = createProgramClient("notes-its-start");
  const run = await finishRun(program.start({ signal: AbortSignal.abort() }));
  await expectFailure(run, "cancelled", "interrupted");
  expect(await program.note()).toBeUndefined();
});

it("an abort during the answer keeps the text so far", async () => {
  const program = createProgramClient("chatters");
  const abort = new AbortController();
  const run = await finishRun(program.start({ signal: abort.signal }), (event) => {
    if (event.type === "text-delta") abort.abort();
  });
  const failure = await expectFailure(run, "cancelled", "interrupted");
  expect(failure.partialText).toMatch(/^(word )+$/);
});

it("an abort after the end changes nothing", async () => {
  const program = createProgramClient("answers");
  const abort = new AbortController();
  const run = await finishRun(program.start({ signal: abort.signal }));
  abort.abort();
  await expectAnswer(run, "All good.");
});

it("interrupt() ends the run", async () => {
  const program = createProgramClient("chatters");
  const stream = program.start();
  const run = watchRun(stream);
  await run.begun;
  stream.interrupt();
  await expectFailure(await run.finished, "cancelled", "interrupted");
});

it("interrupt() after the end changes nothing", async () => {
  const stream = createProgramClient("answers").start();
  const run = await finishRun(stream);
  stream.interrupt();
  await expectAnswer(run, "All good.");
});
