import { expect, it } from "vitest";
import { eventsOf, runProgram } from "./program-run.ts";
import { expectFailure } from "./run-expectations.ts";

it("a program that says nothing ends by the first-event clock", { timeout: 30_000 }, async () => {
  const run = await runProgram("silent", { request: { timeouts: { firstEventMs: 500 } } });
  await expectFailure(run, "timeout", "first-event-timeout");
});

it("a program that falls silent ends by the idle clock", { timeout: 30_000 }, async () => {
  const run = await runProgram("silent-after-init", { request: { timeouts: { idleMs: 2_000 } } });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("a program that has spoken once is no longer subject to the first-event clock", { timeout: 30_000 }, async () => {
  const run = await runProgram("silent-after-init", { request: { timeouts: { firstEventMs: 3_000, totalMs: 5_000 } } });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "total-timeout");
});

it("a program that says nothing ends by the total clock when that is the only one near", { timeout: 30_000 }, async () => {
  const run = await runProgram("silent", { request: { timeouts: { totalMs: 500 } } });
  await expectFailure(run, "timeout", "total-timeout");
});

it("a program that never stops talking ends by the total clock, and what it said is kept", { timeout: 30_000 }, async () => {
  const run = await runProgram("chatters", { request: { timeouts: { firstEventMs: 4_000, idleMs: 3_000, totalMs: 5_000 } } });
  const failure = await expectFailure(run, "timeout", "total-timeout");
  const said = eventsOf(run.events, "text-delta").map((event) => event.text);
  expect(said.length).toBeGreaterThan(1);
  expect(failure.partialText).toBe(said.join(""));
});

it("heartbeats are no first event", { timeout: 30_000 }, async () => {
  const run = await runProgram("only-heartbeats", { request: { timeouts: { firstEventMs: 2_000 } } });
  await expectFailure(run, "timeout", "first-event-timeout");
});

it("heartbeats do not set the idle clock back", { timeout: 30_000 }, async () => {
  const request = { env: { FIRST: "init" }, timeouts: { idleMs: 2_000 } };
  const run = await runProgram("only-heartbeats", { request });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("work in the background is waited for until its clock runs out, and then the answer counts", { timeout: 30_000 }, async () => {
  const run = await runProgram("works-in-background", { request: { timeouts: { idleMs: 60_000, backgroundMs: 1_000 } } });
  expect(run.end).toMatchObject({ finish: "stop" });
  expect(eventsOf(run.events, "warning")).toMatchObject([
    { code: "background-unfinished", message: "Still at work in the background when the run ended: serve the page." },
  ]);
  expect(await run.stream.result()).toMatchObject({ text: "Started." });
});
