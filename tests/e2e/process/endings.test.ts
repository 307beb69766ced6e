import { expect, it } from "vitest";
import { createProgramClient, runProgram } from "../../support/clis/program-client.ts";
import { processesOfRun } from "../../support/processes/process-scan.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

it("an answer is handed over while the program that gave it still lives", async () => {
  const program = createProgramClient("lingers", { request: { env: { STUBBORN: "1" } } });
  const run = await finishRun(program.start());
  expect(await processesOfRun(run.runId)).toHaveLength(1);
  await expectAnswer(run, "All good.");
  expect(await program.note()).toBeUndefined();
});

it("a program that lingers after its answer is stopped before it ends by itself", async () => {
  const program = createProgramClient("lingers");
  await expectAnswer(await finishRun(program.start()), "All good.");
  expect(await program.note()).toBeUndefined();
});

it("an exit code of 1 after the terminal event does not make an answer a failure", async () => {
  await expectAnswer(await runProgram("answers", { request: { env: { EXIT_CODE: "1" } } }), "All good.");
});

it("a death by signal after the terminal event does not make an answer a failure", async () => {
  await expectAnswer(await runProgram("answers", { request: { env: { EXIT_CODE: "SIGKILL" } } }), "All good.");
});

it("an exit code of 0 without a terminal event is a failure", async () => {
  const run = await runProgram("stops-short", { request: { env: { EXIT_CODE: "0" } } });
  const failure = await expectFailure(run, "invalid_response", "no-terminal-event");
  expect(failure.partialText).toBe("Half an answer");
  expect(failure.evidence.exitCode).toBe(0);
});

it("an exit code of 3 without a terminal event is kept as evidence together with stderr", async () => {
  const run = await runProgram("stops-short", { request: { env: { EXIT_CODE: "3" } } });
  const failure = await expectFailure(run, "unknown", "unclassified");
  expect(failure.evidence).toMatchObject({ exitCode: 3, stderrTail: expect.stringContaining("something went wrong") });
});

it("an exit without any output is a failure", async () => {
  const failure = await expectFailure(await runProgram("leaves-at-once"), "invalid_response", "no-terminal-event");
  expect(failure.partialText).toBeUndefined();
});

it("a death by signal in the middle of a line is a crash that keeps the text so far", async () => {
  const run = await runProgram("dies-mid-line", { request: { env: { EXIT_CODE: "SIGKILL" } } });
  const failure = await expectFailure(run, "unknown", "crashed");
  expect(failure.partialText).toBe("Half an answer");
  expect(failure.evidence.signal).toBe("SIGKILL");
});

it("an exit code above 128 in the middle of a line is a crash", async () => {
  const run = await runProgram("dies-mid-line", { request: { env: { EXIT_CODE: "139" } } });
  const failure = await expectFailure(run, "unknown", "crashed");
  expect(failure.evidence.exitCode).toBe(139);
});

it("an exit code of 1 in the middle of a line keeps the text so far", async () => {
  const run = await runProgram("dies-mid-line", { request: { env: { EXIT_CODE: "1" } } });
  const failure = await expectFailure(run, "invalid_response", "no-terminal-event");
  expect(failure.partialText).toBe("Half an answer");
});

it("a program that closes stdout without a terminal event and lives on has failed", async () => {
  const failure = await expectFailure(await runProgram("closes-stdout"), "invalid_response", "no-terminal-event");
  expect(failure.partialText).toBe("Half an answer");
});

it("a program that answers, closes stdout and lives on has answered", async () => {
  await expectAnswer(await runProgram("closes-stdout", { request: { env: { ANSWER: "1" } } }), "All good.");
});
