import { describe, expect, it } from "vitest";
import { lineageOf } from "./running-processes.ts";
import { DEEP_SETUPS } from "./sleeping-tool.ts";
import {
  expectAllStopped,
  expectNothingLeft,
  expectStopped,
  prepareSleepingCli,
  readToEnd,
  stopByClock,
  untilSleeping,
} from "./stopped-run.ts";

/** Long enough for the tools of six CLIs that are started at once to run before it, on a busy machine too. */
const TIMEOUT_MS = 20_000;

describe.each(DEEP_SETUPS)("%s with a running tool leaves nothing running", (name) => {
  it(`${name}: after an abort`, async () => {
    const sleeping = await prepareSleepingCli(name);
    const abort = new AbortController();
    const reading = readToEnd(sleeping.start({}, abort.signal));
    const { runId } = await untilSleeping(sleeping.tool);
    const since = performance.now();
    abort.abort();
    const told = await reading;
    expect(told.runId).toBe(runId);
    await expectStopped(sleeping, { what: `${name}: an abort`, since, told, code: "interrupted" });
  });

  it(`${name}: after interrupt()`, async () => {
    const sleeping = await prepareSleepingCli(name);
    const stream = sleeping.start();
    const reading = readToEnd(stream);
    await untilSleeping(sleeping.tool);
    const since = performance.now();
    stream.interrupt();
    await expectStopped(sleeping, { what: `${name}: interrupt()`, since, told: await reading, code: "interrupted" });
  });

  it(`${name}: after the consumer left the loop`, async () => {
    const { start, tool } = await prepareSleepingCli(name);
    let [runId, since] = ["", 0];
    for await (const event of start()) {
      if (event.type === "run-start") runId = event.runId;
      if (event.type !== "tool-call") continue;
      expect((await untilSleeping(tool)).runId).toBe(runId);
      since = performance.now();
      break;
    }
    expect(since).toBeGreaterThan(0);
    await expectNothingLeft(`${name}: leaving the loop`, since, () => tool.findAll(runId));
  });

  it(`${name}: after a stop in the middle of its start`, async () => {
    const sleeping = await prepareSleepingCli(name);
    const told = await readToEnd(sleeping.start({ timeouts: { firstEventMs: 20 } }));
    const what = `${name}: the earliest first-event timeout`;
    await expectStopped(sleeping, { what, since: told.toldAt, told, code: "first-event-timeout" });
  });
});

it(`${DEEP_SETUPS.join(", ")} leave nothing running after their total time and after a time of silence`, async () => {
  const stops = DEEP_SETUPS.flatMap((name) => [
    stopByClock(name, { totalMs: TIMEOUT_MS }, "total-timeout"),
    stopByClock(name, { idleMs: TIMEOUT_MS }, "idle-timeout"),
  ]);
  await expectAllStopped(stops);
});

it("codex by its launcher really has the launcher above it, and codex alone has not", async () => {
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
