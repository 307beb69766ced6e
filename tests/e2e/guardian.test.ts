import { expect, it } from "vitest";
import { guardiansOf, isAlive, untilGone } from "./process-scan.ts";
import { createProgramClient, finishRun, watchRun } from "./program-run.ts";
import { expectAnswer } from "./run-expectations.ts";

it("consecutive runs share one guardian", { timeout: 30_000 }, async () => {
  const program = createProgramClient("answers");
  await expectAnswer(await finishRun(program.start()), "All good.");
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toHaveLength(1);
  await expectAnswer(run, "All good.");
});

it("close() ends the guardian", { timeout: 30_000 }, async () => {
  const program = createProgramClient("answers");
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toHaveLength(1);
  await program.client.close();
  await untilGone(() => guardiansOf(run.runId));
});

it("a background process is ended even when the guardian was killed during the run", { timeout: 30_000 }, async () => {
  const program = createProgramClient("answers-when-told");
  const run = watchRun(program.start());
  const [guardian] = await guardiansOf(await run.begun);
  if (guardian === undefined) throw new Error("no guardian");
  process.kill(guardian, "SIGKILL");
  await untilGone(async () => ((await isAlive(guardian)) ? [guardian] : []));
  await program.tell("go on");
  await expectAnswer(await run.finished, "All good.");
});

it("without a guardian a background process is ended just the same", { timeout: 30_000 }, async () => {
  const program = createProgramClient("leaves-background-child", { guardian: false });
  const run = await finishRun(program.start());
  expect(await guardiansOf(run.runId)).toEqual([]);
  await expectAnswer(run, "All good.");
  expect(await isAlive(await program.grandchild())).toBe(false);
});
