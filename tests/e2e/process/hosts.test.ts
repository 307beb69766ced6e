import { expect, it } from "vitest";
import { guardiansOf, processesOfRun, untilFound, untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { type HostProcess, startHost } from "../host-process.ts";
import type { HeldRunReport } from "../hosts/holds-a-run.ts";
import type { LeftLoopReport } from "../hosts/leaves-the-loop.ts";
import type { AnswerReport } from "../hosts/one-answer.ts";

it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "when the host dies of %s its program, the grandchild and the guardian are gone",
  async (signal) => {
    const host = startHost<HeldRunReport>("holds-a-run");
    const { runId } = await host.report;
    await untilFound(() => processesOfRun(runId), 2);
    await untilFound(() => guardiansOf(runId), 1);
    expect(isAlive(host.grandchild())).toBe(true);
    process.kill(host.pid, signal);
    expect((await host.exit).code).not.toBe(0);
    await expectAllGone(host, runId);
  },
);

it("a run that starts after its guardian is guarded like the first", async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { BEFORE: "answer" });
  const { runId } = await host.report;
  await untilFound(() => processesOfRun(runId), 2);
  process.kill(host.pid, "SIGKILL");
  await host.exit;
  await expectAllGone(host, runId);
});

it("when the host calls process.exit() everything is gone and its exit code stands", async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { ENDING: "exit" });
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 7, signal: null });
  await expectAllGone(host, runId);
});

it("when the host dies of an uncaught error everything is gone", async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { ENDING: "throw" });
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 1, signal: null });
  await expectAllGone(host, runId);
});

it("a script that has its answer and closes nothing ends by itself", async () => {
  await expectHostEndsByItself("answers");
});

it("a script that has its answer ends before a program that lingers, which is ended too", async () => {
  const host = await expectHostEndsByItself("lingers");
  expect((await host.report).leavesProgram).toBe(true);
  expect(host.note()).toBeUndefined();
});

it("a script that has its answer ends before a program that lingers and ignores signals", async () => {
  const host = await expectHostEndsByItself("lingers", { STUBBORN: "1" });
  expect((await host.report).leavesProgram).toBe(true);
  expect(host.note()).toBeUndefined();
});

it("a program that exits soon after its answer may finish although the script has ended", async () => {
  const host = await expectHostEndsByItself("lingers", { LINGER_MS: "150" });
  expect(host.note()).toBe("lingered");
});

it("a script that has its answer leaves no background process behind", async () => {
  const host = await expectHostEndsByItself("leaves-background-child");
  expect(isAlive(host.grandchild())).toBe(false);
});

it("a script that leaves the loop and closes nothing ends by itself, and its program is ended", async () => {
  const host = startHost<LeftLoopReport>("leaves-the-loop");
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
});

async function expectHostEndsByItself(
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<HostProcess<AnswerReport>> {
  const host = startHost<AnswerReport>("one-answer", { PROGRAM: program, ...env });
  const { runId, text } = await host.report;
  expect(text).toBe("All good.");
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
  return host;
}

async function expectAllGone(host: HostProcess<HeldRunReport>, runId: string): Promise<void> {
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
  expect(isAlive(host.grandchild())).toBe(false);
}
