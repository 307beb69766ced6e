import { expect, it } from "vitest";
import { guardiansOf, processesOfRun, untilFound, untilGone } from "../../support/processes/process-scan.ts";
import { startHost } from "../host-process.ts";
import type { HeldRunReport } from "../hosts/holds-a-run.ts";
import type { AnswerReport } from "../hosts/one-answer.ts";
import type { SlowConsumerReport } from "../hosts/slow-consumer.ts";

const PIECES = 180_000;
const TOTAL_BYTES = PIECES * 1_024;

/** Simulates a system without inotify. */
const NO_WATCH = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  fs.watch = () => { throw new Error("There is no watching here."); };
  syncBuiltinESMExports();
`;

it.each(["SIGKILL", "SIGTERM"] as const)(
  "when the host dies of %s its program is gone and so is the file it printed into",
  async (signal) => {
    const host = startHost<HeldRunReport>("holds-a-run", { STDOUT: "file" });
    const { runId } = await host.report;
    await untilFound(() => processesOfRun(runId), 2);
    await untilFound(() => guardiansOf(runId), 1);
    process.kill(host.pid, signal);
    await host.exit;
    await untilGone(() => processesOfRun(runId));
    await untilGone(() => guardiansOf(runId));
    expect(host.leftovers()).toEqual([]);
  },
);

it("a script that has its answer ends before a program that lingers, which is ended too", async () => {
  const host = startHost<AnswerReport>("one-answer", { PROGRAM: "lingers", STDOUT: "file" });
  const { runId, text, leavesProgram } = await host.report;
  expect({ text, leavesProgram }).toEqual({ text: "All good.", leavesProgram: true });
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
  expect(host.note()).toBeUndefined();
  expect(host.leftovers()).toEqual([]);
});

it("without file change notifications the file is still read while the program runs", async () => {
  const env = {
    PROGRAM: "lingers",
    STDOUT: "file",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_WATCH)}`,
  };
  const host = startHost<AnswerReport>("one-answer", env);
  expect((await host.report).text).toBe("All good.");
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await untilGone(async () => processesOfRun((await host.report).runId));
  expect(host.note()).toBeUndefined();
});

it("a slow consumer gets everything in order and out of bounded memory, and no file is left", { timeout: 180_000 }, async () => {
  const host = startHost<SlowConsumerReport>("slow-consumer", { PIECES: String(PIECES), STDOUT: "file" });
  const report = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect(report).toMatchObject({ piecesInOrder: PIECES, textBytes: TOTAL_BYTES, isNumbered: true });
  expect(report.end).toMatchObject({ type: "run-end", finish: "stop" });
  expect(report.growthBytes.written).toBeLessThan(TOTAL_BYTES / 2);
  expect(report.growthBytes.read).toBeLessThan(TOTAL_BYTES / 2);
  expect(await processesOfRun(report.runId)).toEqual([]);
  expect(host.leftovers()).toEqual([]);
});
