import { expect, it } from "vitest";
import { runProgram } from "../../support/clis/program-client.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

it("a program that prints nothing ends by the first-event timeout", async () => {
  const run = await runProgram("silent", { request: { timeouts: { firstEventMs: 500 } } });
  await expectFailure(run, "timeout", "first-event-timeout");
});

it("a program that stops printing ends by the idle timeout", async () => {
  const run = await runProgram("silent-after-init", { request: { timeouts: { idleMs: 2_000 } } });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("after its first output a program is not subject to the first-event timeout", async () => {
  const run = await runProgram("silent-after-init", { request: { timeouts: { firstEventMs: 3_000, totalMs: 5_000 } } });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "total-timeout");
});

it("a program that prints nothing ends by the total timeout when that is the shortest", async () => {
  const run = await runProgram("silent", { request: { timeouts: { totalMs: 500 } } });
  await expectFailure(run, "timeout", "total-timeout");
});

it("a program that never stops printing ends by the total timeout, and its text is kept", async () => {
  const run = await runProgram("chatters", { request: { timeouts: { firstEventMs: 4_000, idleMs: 3_000, totalMs: 5_000 } } });
  const failure = await expectFailure(run, "timeout", "total-timeout");
  const said = eventsOf(run.events, "text-delta").map((event) => event.text);
  expect(said.length).toBeGreaterThan(1);
  expect(failure.partialText).toBe(said.join(""));
});

it("a heartbeat is not a first event", async () => {
  const run = await runProgram("only-heartbeats", { request: { timeouts: { firstEventMs: 2_000 } } });
  await expectFailure(run, "timeout", "first-event-timeout");
});

it("heartbeats do not reset the idle timeout", async () => {
  const request = { env: { FIRST: "init" }, timeouts: { idleMs: 2_000 } };
  const run = await runProgram("only-heartbeats", { request });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("the run waits for background work until backgroundMs, and then ends with the answer", async () => {
  const run = await runProgram("works-in-background", { request: { timeouts: { idleMs: 60_000, backgroundMs: 1_000 } } });
  expect(run.end).toMatchObject({ finish: "stop" });
  expect(eventsOf(run.events, "warning")).toMatchObject([
    { code: "background-unfinished", message: "Still at work in the background when the run ended: serve the page." },
  ]);
  expect(await run.stream.result()).toMatchObject({ text: "Started." });
});
