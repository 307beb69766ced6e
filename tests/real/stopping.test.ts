import { expect, it } from "vitest";
import { lineageOf } from "./running-processes.ts";
import { DEEP_SETUPS, type SetupName } from "./sleeping-tool.ts";
import {
  abortWhileFrozen,
  expectAllStopped,
  expectNothingLeft,
  prepareSleepingCli,
  readToEnd,
  stopByClock,
  untilSleeping,
} from "./stopped-run.ts";

/** Long enough for the tools of six CLIs that start at once, even on a busy machine. */
const TIMEOUT_MS = 20_000;

const ALL = DEEP_SETUPS.join(", ");

it(`${ALL} with a running tool leave no process after an abort`, async () => {
  const stops = DEEP_SETUPS.map(async (name) => {
    const sleeping = await prepareSleepingCli(name);
    const abort = new AbortController();
    const reading = readToEnd(sleeping.start({}, abort.signal));
    const { runId } = await untilSleeping(sleeping.tool);
    const since = performance.now();
    abort.abort();
    const reported = await reading;
    expect(reported.runId, name).toBe(runId);
    return { sleeping, stop: { what: `${name}: an abort`, since, reported, code: "interrupted" } as const };
  });
  await expectAllStopped(stops);
});

it(`${ALL} with a running tool that are stopped (SIGSTOP) leave no process after an abort, which does not wait for them`, async () => {
  await expectAllStopped(DEEP_SETUPS.map(abortWhileFrozen));
});

it(`${ALL} with a running tool leave no process after interrupt()`, async () => {
  const stops = DEEP_SETUPS.map(async (name) => {
    const sleeping = await prepareSleepingCli(name);
    const stream = sleeping.start();
    const reading = readToEnd(stream);
    await untilSleeping(sleeping.tool);
    const since = performance.now();
    stream.interrupt();
    return { sleeping, stop: { what: `${name}: interrupt()`, since, reported: await reading, code: "interrupted" } as const };
  });
  await expectAllStopped(stops);
});

it(`${ALL} with a running tool leave no process after the consumer left the loop`, async () => {
  await Promise.all(DEEP_SETUPS.map(leaveTheLoop));
});

async function leaveTheLoop(name: SetupName): Promise<void> {
  const { start, tool } = await prepareSleepingCli(name);
  let [runId, since] = ["", 0];
  for await (const event of start()) {
    if (event.type === "run-start") runId = event.runId;
    if (event.type !== "tool-call") continue;
    expect((await untilSleeping(tool)).runId, name).toBe(runId);
    since = performance.now();
    break;
  }
  expect(since, name).toBeGreaterThan(0);
  await expectNothingLeft(`${name}: leaving the loop`, since, () => tool.findAll(runId));
}

it(`${ALL} leave no process after a stop in the middle of their start`, async () => {
  const stops = DEEP_SETUPS.map(async (name) => {
    const sleeping = await prepareSleepingCli(name);
    const reported = await readToEnd(sleeping.start({ timeouts: { firstEventMs: 20 } }));
    const what = `${name}: the earliest first-event timeout`;
    return { sleeping, stop: { what, since: reported.reportedAt, reported, code: "first-event-timeout" } as const };
  });
  await expectAllStopped(stops);
});

it(`${ALL} leave no process after their total timeout and after their idle timeout`, async () => {
  const stops = DEEP_SETUPS.flatMap((name) => [
    stopByClock(name, { totalMs: TIMEOUT_MS }, "total-timeout"),
    stopByClock(name, { idleMs: TIMEOUT_MS }, "idle-timeout"),
  ]);
  await expectAllStopped(stops);
});

it("codex through its launcher has the launcher as an ancestor, and codex alone has not", async () => {
  for (const [name, count] of [
    ["codex by its launcher", 1],
    ["codex", 0],
  ] as const) {
    const { start, tool, client } = await prepareSleepingCli(name);
    const reading = readToEnd(start());
    const { sleeper } = await untilSleeping(tool);
    const launchers = lineageOf(sleeper).filter(({ command }) => command[1]?.endsWith("/.bin/codex") === true);
    expect(launchers, name).toHaveLength(count);
    await client.close();
    expect((await reading).end.finish).toBe("cancelled");
  }
});
