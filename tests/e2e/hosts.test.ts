import { expect, it } from "vitest";
import type { HeldRunReport } from "./hosts/holds-a-run.ts";
import type { LeftLoopReport } from "./hosts/leaves-the-loop.ts";
import type { AnswerReport } from "./hosts/one-answer.ts";
import { type HostProcess, startHost } from "./host-process.ts";
import { guardiansOf, isAlive, processesOfRun, untilGone } from "./process-scan.ts";

it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "when the host dies of %s its program, the grandchild and the guardian are gone",
  { timeout: 30_000 },
  async (signal) => {
    const host = startHost<HeldRunReport>("holds-a-run");
    const { runId } = await host.report;
    expect(await processesOfRun(runId)).toHaveLength(2);
    expect(await guardiansOf(runId)).toHaveLength(1);
    expect(await isAlive(host.grandchild())).toBe(true);
    process.kill(host.pid, signal);
    expect((await host.exit).code).not.toBe(0);
    await expectAllGone(host, runId);
  },
);

it("when the host calls process.exit() in the middle everything is gone and its exit code stands", { timeout: 30_000 }, async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { ENDING: "exit" });
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 7, signal: null });
  await expectAllGone(host, runId);
});

it("when the host dies of an error of its own everything is gone", { timeout: 30_000 }, async () => {
  const host = startHost<HeldRunReport>("holds-a-run", { ENDING: "throw" });
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 1, signal: null });
  await expectAllGone(host, runId);
});

it("a script that has its answer and closes nothing ends by itself", { timeout: 30_000 }, async () => {
  await expectHostEndsByItself("answers");
});

it("a script that has its answer ends long before a program that lingers, which is ended too", { timeout: 30_000 }, async () => {
  const host = await expectHostEndsByItself("lingers");
  expect(host.note()).toBeUndefined();
});

it("a script that has its answer ends long before a lingering program that ignores polite signals", { timeout: 30_000 }, async () => {
  const host = await expectHostEndsByItself("lingers", { STUBBORN: "1" });
  expect(host.note()).toBeUndefined();
});

it("a script that has its answer leaves no background process behind", { timeout: 30_000 }, async () => {
  const host = await expectHostEndsByItself("leaves-background-child");
  expect(await isAlive(host.grandchild())).toBe(false);
});

it("a script that leaves the loop and closes nothing ends by itself, and its program is ended", { timeout: 30_000 }, async () => {
  const host = startHost<LeftLoopReport>("leaves-the-loop");
  const { runId } = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
});

async function expectHostEndsByItself(program: string, env: Readonly<Record<string, string>> = {}): Promise<HostProcess<AnswerReport>> {
  const host = startHost<AnswerReport>("one-answer", { PROGRAM: program, ...env });
  const { runId, text } = await host.report;
  expect(text).toBe("All good.");
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect(host.note()).toBeUndefined();
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
  return host;
}

async function expectAllGone(host: HostProcess<HeldRunReport>, runId: string): Promise<void> {
  await untilGone(() => processesOfRun(runId));
  await untilGone(() => guardiansOf(runId));
  expect(await isAlive(host.grandchild())).toBe(false);
}
