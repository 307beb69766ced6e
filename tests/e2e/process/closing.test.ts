import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { createProgramClient } from "../../support/clis/program-client.ts";
import { processesOfRun } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { watchRun } from "../../support/runs/read-run.ts";
import { expectFailure, failureOf } from "../../support/runs/run-expectations.ts";

it("close() ends all runs and resolves when their processes are gone", async () => {
  const program = createProgramClient("keeps-grandchild");
  const runs = [watchRun(program.start()), watchRun(program.start())];
  const runIds = await Promise.all(runs.map((run) => run.begun));
  const grandchild = await program.grandchild();
  expect(isAlive(grandchild)).toBe(true);
  await program.client.close();
  expect(await Promise.all(runIds.map(processesOfRun))).toEqual([[], []]);
  expect(isAlive(grandchild)).toBe(false);
  for (const run of runs) {
    const failure = await expectFailure(await run.finished, "cancelled", "interrupted");
    expect(failure.message).toBe("The client was closed during the run.");
  }
});

it("a run after close() says that the client is closed, and starts nothing", async () => {
  const program = createProgramClient("answers");
  await program.client.close();
  const { finish, failure } = await program.start().outcome();
  expect(finish).toBe("cancelled");
  expect(failure).toMatchObject({
    code: "interrupted",
    message: "The client is closed, so the run was not started.",
    hint: "Create another client, or close this one after its last run.",
  });
});

it("close() ends a run whose reader has paused, and the reader still gets run-end", async () => {
  const program = createProgramClient("chatters");
  const stream = program.start();
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true || first.value.type !== "run-start") throw new Error(`began with ${JSON.stringify(first)}`);
  for (let type = ""; type !== "text-delta"; ) type = (await iterator.next()).value.type;
  await program.client.close();
  expect(await processesOfRun(first.value.runId)).toEqual([]);
  const rest: RunEvent[] = [];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) rest.push(next.value);
  expect(rest.at(-1)).toMatchObject({ type: "run-end", finish: "cancelled" });
  expect(await failureOf(stream)).toMatchObject({ category: "cancelled", code: "interrupted" });
});

it("close() also waits for the program of a run whose result was already delivered", async () => {
  const program = createProgramClient("lingers", { request: { env: { STUBBORN: "1" } } });
  const run = watchRun(program.start());
  const runId = await run.begun;
  await run.finished;
  await program.client.close();
  expect(await processesOfRun(runId)).toEqual([]);
  expect(await program.note()).toBeUndefined();
});
