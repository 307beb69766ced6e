import { expect, it } from "vitest";
import { createProgramClient } from "../../support/clis/program-client.ts";
import { processesOfRun } from "../../support/processes/process-scan.ts";
import { watchRun } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

it("ending run 1 leaves run 10 and its neighbours alone", async () => {
  const program = createProgramClient("silent-after-init");
  const streams = Array.from({ length: 12 }, () => program.start());
  const runs = streams.map(watchRun);
  const runIds = await Promise.all(runs.map((run) => run.begun));
  const short = runIds.findIndex((id) => runIds.some((other) => other !== id && other.startsWith(id)));
  expect(short, `one of ${runIds.join(", ")} begins like another`).not.toBe(-1);
  streams[short]?.interrupt();
  const ended = await runs[short]?.finished;
  if (ended !== undefined) await expectFailure(ended, "cancelled", "interrupted");
  const others = runIds.filter((_, index) => index !== short);
  const alive = await Promise.all(others.map(processesOfRun));
  expect(alive.map((pids) => pids.length)).toEqual(others.map(() => 1));
});

it("a run that ends leaves a run beside it alone, which goes on and can be ended", async () => {
  const program = createProgramClient("keeps-grandchild");
  const [firstStream, secondStream] = [program.start(), program.start()];
  const [first, second] = [watchRun(firstStream), watchRun(secondStream)];
  await first.begun;
  const secondId = await second.begun;
  firstStream.interrupt();
  await expectFailure(await first.finished, "cancelled", "interrupted");
  expect(await processesOfRun(secondId)).toHaveLength(2);
  secondStream.interrupt();
  await expectFailure(await second.finished, "cancelled", "interrupted");
});
