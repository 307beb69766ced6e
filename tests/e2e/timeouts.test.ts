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
