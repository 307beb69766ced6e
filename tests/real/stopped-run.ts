import { expect, onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { RunStream } from "../../src/spec/stream.ts";
import type { RunEnd } from "../../src/spec/wire/events.ts";
import { withoutHeldGuardian } from "../support/built/hold-guardian.ts";
import { signalProcess } from "../support/processes/signal-process.ts";
import { prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import { leftOfStoppedRun, type RunningProcess, untilSeen } from "./running-processes.ts";
import { guardiansOf, runOf, type SetupName, SleepingTool, setupOf, toolRequest } from "./sleeping-tool.ts";

/** A real CLI whose model calls a tool that sleeps; processes that a failed test leaves are ended with the test. */
export type SleepingCli = {
  readonly cli: RealCli;
  readonly tool: SleepingTool;
  readonly client: Client;
  /** The environment of the CLI and of hosts; a failed test finds its processes by one of the variables. */
  readonly env: Readonly<Record<string, string>>;
  start(request?: Partial<RunRequest>, signal?: AbortSignal): RunStream;
};

/** Prepares the CLI of a setup; nothing is started before `start`. */
export async function prepareSleepingCli(name: SetupName): Promise<SleepingCli> {
  const setup = setupOf(name);
  const tool = new SleepingTool();
  const cli = await prepareRealCli(setup.cli, tool.answers(setup));
  const env = { ...cli.env, REAL_TEST: tool.command };
  const client = createClient({ policies: false, env, providers: [setup.provider(cli.api.url)] });
  onTestFinished(async () => {
    for (const { pid } of tool.findAllWith(`REAL_TEST=${tool.command}`)) endQuietly(pid);
    await client.close();
    await cli[Symbol.asyncDispose]();
  });
  const start = (request: Partial<RunRequest> = {}, signal?: AbortSignal): RunStream =>
    client.run(setup.target, { ...toolRequest(setup, cli.workspace), ...request }, signal === undefined ? {} : { signal });
  return { cli, tool, client, env, start };
}

/** Waits until the tool sleeps, below a process that has the marker of the run. */
export async function untilSleeping(tool: SleepingTool): Promise<{ readonly sleeper: RunningProcess; readonly runId: string }> {
  return untilSeen(() => {
    const sleeper = tool.find();
    const runId = sleeper === undefined ? undefined : runOf(sleeper);
    return sleeper === undefined || runId === undefined ? undefined : { sleeper, runId };
  }, tool.command);
}

/** How a run ended and when that was reported. */
export type ReportedEnd = { readonly runId: string; readonly end: RunEnd; readonly reportedAt: number };

/** Reads a stream to its end in the background. */
export async function readToEnd(stream: RunStream): Promise<ReportedEnd> {
  let runId = "";
  for await (const event of stream) {
    if (event.type === "run-start") runId = event.runId;
    if (event.type === "run-end") return { runId, end: event, reportedAt: performance.now() };
  }
  throw new Error("the run has no end");
}

/** How and when a run was stopped, and its expected end. */
export type Stop = { readonly what: string; readonly since: number; readonly reported: ReportedEnd; readonly code: FailureCode };

/** Expects that the run ended in this way, left no process after three seconds, and that the guardian ends with the last client. */
export function expectStopped(sleeping: SleepingCli, stop: Stop): Promise<void> {
  return expectAllStopped([Promise.resolve({ sleeping, stop })]);
}

/** The same for several runs, which wait for their stops at the same time. */
export async function expectAllStopped(
  runs: readonly Promise<{ readonly sleeping: SleepingCli; readonly stop: Stop }>[],
): Promise<void> {
  const stopped = await Promise.all(
    runs.map(async (run) => {
      const { sleeping, stop } = await run;
      const { what, since, reported, code } = stop;
      const finish = code === "interrupted" ? "cancelled" : "error";
      expect(reported.end, what).toMatchObject({ finish, failure: { code } });
      await expectNothingLeft(what, since, () => sleeping.tool.findAll(reported.runId));
      return { ...sleeping, runId: reported.runId };
    }),
  );
  await withoutHeldGuardian(async () => {
    await Promise.all(stopped.flatMap(({ client, cli }) => [client.close(), cli.client.close()]));
    for (const { runId } of stopped) expect(guardiansOf(runId)).toEqual([]);
  });
}

/** Starts a run whose tool sleeps, stops all of its processes by SIGSTOP, and aborts it: nobody waits for a stopped process. */
export async function abortWhileFrozen(name: SetupName): Promise<{ readonly sleeping: SleepingCli; readonly stop: Stop }> {
  const sleeping = await prepareSleepingCli(name);
  const abort = new AbortController();
  const reading = readToEnd(sleeping.start({}, abort.signal));
  const { runId } = await untilSleeping(sleeping.tool);
  for (const { pid } of sleeping.tool.findAll(runId)) signalProcess(pid, "SIGSTOP");
  const since = performance.now();
  abort.abort();
  const reported = await reading;
  expect(reported.reportedAt - since, name).toBeLessThan(5_000);
  return { sleeping, stop: { what: `${name}: an abort of stopped processes`, since, reported, code: "interrupted" } };
}

/** Starts a run whose tool sleeps, and reads it until a timeout stops it. */
export async function stopByClock(
  name: SetupName,
  timeouts: NonNullable<RunRequest["timeouts"]>,
  code: FailureCode,
): Promise<{ readonly sleeping: SleepingCli; readonly stop: Stop }> {
  const sleeping = await prepareSleepingCli(name);
  const reading = readToEnd(sleeping.start({ timeouts }));
  await untilSleeping(sleeping.tool);
  const reported = await reading;
  return { sleeping, stop: { what: `${name}: ${code}`, since: reported.reportedAt, reported, code } };
}

/** The processes of a stopped run end, and none is started in the three seconds after the stop; prints when the last one was seen. */
export async function expectNothingLeft(what: string, since: number, scan: () => readonly RunningProcess[]): Promise<void> {
  const { left, lastSeenMs } = await leftOfStoppedRun(scan, since);
  console.log(`${what}: all gone ${lastSeenMs} ms after it`);
  expect(left, what).toEqual([]);
}

/** Kills a process, unless it has ended since it was found. */
export function endQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended between the scan and the signal.
  }
}
