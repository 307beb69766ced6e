import { expect, it } from "vitest";
import { createProgramClient, type ProgramClient } from "../../support/clis/program-client.ts";
import { untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { finishRun, watchRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

it("a grandchild that holds stdout open does not delay the answer and is ended", async () => {
  const program = createProgramClient("leaves-child-on-stdout", { request: { env: { ANSWER: "1" } } });
  await expectAnswer(await finishRun(program.start()), "All good.");
  await expectGrandchildGone(program);
});

it("a grandchild that holds stdout open does not hide the end of the program", async () => {
  const program = createProgramClient("leaves-child-on-stdout");
  await expectFailure(await finishRun(program.start()), "invalid_response", "no-terminal-event");
  await expectGrandchildGone(program);
});

it("a background process without pipes in a session of its own is ended after a good answer", async () => {
  const program = createProgramClient("leaves-background-child");
  await expectAnswer(await finishRun(program.start()), "All good.");
  await expectGrandchildGone(program);
});

it("an abort ends a grandchild in a session of its own", async () => {
  const program = createProgramClient("keeps-grandchild");
  await expectAbortEndsGrandchild(program);
});

it("an abort ends a grandchild that carries no marker, by its descent", async () => {
  const program = createProgramClient("keeps-grandchild", { request: { env: { BARE: "1" } } });
  await expectAbortEndsGrandchild(program);
});

async function expectAbortEndsGrandchild(program: ProgramClient): Promise<void> {
  const abort = new AbortController();
  const run = watchRun(program.start({ signal: abort.signal }));
  await run.begun;
  expect(isAlive(await program.grandchild())).toBe(true);
  abort.abort();
  await expectFailure(await run.finished, "cancelled", "interrupted");
  await expectGrandchildGone(program);
}

async function expectGrandchildGone(program: ProgramClient): Promise<void> {
  const pid = await program.grandchild();
  await untilGone(async () => (isAlive(pid) ? [pid] : []));
}
