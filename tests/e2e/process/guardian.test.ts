import { expect, it, vi } from "vitest";
import { Guardian } from "../../../src/process/guardian/guardian.ts";
import { createProgramClient, type ProgramClient } from "../../support/clis/program-client.ts";
import { guardiansOf, processesOfRun, untilFound, untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { finishRun, type WatchedRun, watchRun } from "../../support/runs/read-run.ts";
import { expectAnswer } from "../../support/runs/run-expectations.ts";

it("consecutive runs share one guardian", async () => {
  const program = createProgramClient("answers");
  await expectAnswer(await finishRun(program.start()), "All good.");
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toHaveLength(1);
  await expectAnswer(run, "All good.");
});

it("close() ends the guardian", async () => {
  const program = createProgramClient("answers");
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toHaveLength(1);
  await program.client.close();
  await untilGone(() => guardiansOf(run.runId));
});

it("a background process is ended even when the guardian was killed during the run", async () => {
  const { program, run, guardian } = await startGuarded();
  process.kill(guardian, "SIGKILL");
  await untilGone(async () => (isAlive(guardian) ? [guardian] : []));
  await program.tell("go on");
  await expectAnswer(await run.finished, "All good.");
});

it("close() does not wait for a guardian that is stopped, and ends a background process itself", {
  timeout: 30_000,
}, async () => {
  const { program, run, guardian } = await startGuarded();
  process.kill(guardian, "SIGSTOP");
  await program.tell("go on");
  expect((await run.finished).end.finish).toBe("stop");
  await program.client.close();
  expect(isAlive(await program.grandchild())).toBe(false);
  await untilGone(async () => (isAlive(guardian) ? [guardian] : []));
});

it("close() of one of two clients waits for the guardian, and ends the process if the guardian is stopped", {
  timeout: 30_000,
}, async () => {
  const other = createProgramClient("answers");
  for (const signal of ["SIGCONT", "SIGSTOP"] as const) {
    const { program, run, guardian } = await startGuarded();
    process.kill(guardian, signal);
    await program.tell("go on");
    expect((await run.finished).end.finish).toBe("stop");
    await program.client.close();
    expect(isAlive(await program.grandchild())).toBe(false);
  }
  await expectAnswer(await finishRun(other.start()), "All good.");
});

it("a background process is ended when the guardian is killed before it could end it", async () => {
  const { program, run, guardian } = await startGuarded();
  process.kill(guardian, "SIGSTOP");
  await program.tell("go on");
  expect((await run.finished).end.finish).toBe("stop");
  const { runId } = await run.finished;
  await untilFound(() => processesOfRun(runId), 1);
  process.kill(guardian, "SIGKILL");
  const grandchild = await program.grandchild();
  await untilGone(async () => (isAlive(grandchild) ? [grandchild] : []));
});

it("the guardian is told when a tool begins and ends", async () => {
  const sawTool = vi.spyOn(Guardian.prototype, "sawTool");
  const program = createProgramClient("runs-own-tool", { request: { mode: "agent", cwd: "/" } });
  await finishRun(program.start());
  expect(sawTool).toHaveBeenCalledTimes(2);
  sawTool.mockClear();
  await finishRun(createProgramClient("answers").start());
  expect(sawTool).not.toHaveBeenCalled();
  sawTool.mockRestore();
});

it("without a guardian a background process is ended just the same", async () => {
  const program = createProgramClient("leaves-background-child", { guardian: false });
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toEqual([]);
  await expectAnswer(run, "All good.");
  expect(isAlive(await program.grandchild())).toBe(false);
});

/** Starts a program that leaves a background process and answers when it is told to; its guardian is ready. */
async function startGuarded(): Promise<{ program: ProgramClient; run: WatchedRun; guardian: number }> {
  const program = createProgramClient("answers-when-told");
  const run = watchRun(program.start());
  const [guardian] = await guardiansOf(await run.begun);
  if (guardian === undefined) throw new Error("no guardian");
  return { program, run, guardian };
}
