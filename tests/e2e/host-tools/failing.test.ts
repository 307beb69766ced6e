import { expect, it } from "vitest";
import type { FailureCategory, FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { withSpawn } from "../../../src/spec/provider/provider.ts";
import { CUT_CALL, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { plainCli } from "../../support/clis/played-cli.ts";
import { answers, ends, FOREVER, type Play, type Step } from "../../support/clis/plays.ts";
import { expectCalls } from "../../support/runs/host-calls.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const request = { prompt: "What is the weather in Oslo?", tools: [WEATHER] } as const;
const FIRST = answers(`I will look.\n\n${CUT_CALL}`);
const READ: Step = { do: "read", what: "all" };
const OVERLOADED = ends({ finish: "error", fault: { message: "Too much to do.", kind: "overloaded" } });

it("a CLI that fails after a valid call returns no call", async () => {
  const fault = { message: "Too much to do.", kind: "overloaded" };
  const cli = openCli([answers(`I will look.\n\n${OSLO}`, { end: { finish: "error", fault } })]);
  const run = await cli.finish(request);
  const failure = await expectFailure(run, "server", "overloaded");
  expect(failure.partialText).toContain("I will look.");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
  expect(cli.starts()).toBe(1);
});

it("a CLI that fails within a call is not corrected", async () => {
  const cli = openCli([answers(CUT_CALL).slice(0, -1), answers(OSLO)]);
  await expectFailure(await cli.finish(request), "invalid_response", "no-terminal-event");
  expect(cli.starts()).toBe(1);
});

it.each<[what: string, steps: Play, category: FailureCategory, code: FailureCode]>([
  ["reports an error", [READ, OVERLOADED], "server", "overloaded"],
  ["dies", [READ, { do: "die", signal: "SIGKILL" }], "unknown", "crashed"],
  ["ends without a word", [READ, { do: "exit", code: 0 }], "invalid_response", "no-terminal-event"],
])(
  "a CLI that %s when it is corrected fails the run with that failure, and the usage of the first attempt counts",
  async (...row) => {
    const [, steps, category, code] = row;
    const cli = openCli([FIRST, steps]);
    const run = await cli.finish(request);
    const failure = await expectFailure(run, category, code);
    expect(failure.partialText).toBe("I will look.");
    expect(eventsOf(run.events, "tool-call")).toEqual([]);
    expect(eventsOf(run.events, "warning")).toMatchObject([{ code: "tool-call-corrected" }]);
    expect(eventsOf(run.events, "usage").at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 3 } });
    expect(cli.starts()).toBe(2);
  },
);

it("a CLI that leaves a process behind in either attempt leaves nothing after the run", async () => {
  const left: Step = { do: "leave-process", ms: 600_000 };
  const cli = openCli([answers(CUT_CALL, { before: [left] }), answers(OSLO, { before: [left] })]);
  await expectCalls(await cli.finish(request));
  await cli.untilQuiet();
});

it("a CLI that stops printing within a call ends by the idle timeout and is not corrected", async () => {
  const cli = openCli([answers(CUT_CALL, { after: [FOREVER] }), answers(OSLO)]);
  const run = await cli.finish({ ...request, timeouts: { idleMs: 3_000 } });
  await expectFailure(run, "timeout", "idle-timeout");
  expect(cli.starts()).toBe(1);
});

it("a CLI that prints nothing when it is corrected ends by the first-event timeout", async () => {
  const cli = openCli([FIRST, [FOREVER]]);
  const run = await cli.finish({ ...request, timeouts: { firstEventMs: 5_000 } });
  await expectFailure(run, "timeout", "first-event-timeout");
  expect(cli.starts()).toBe(2);
});

it("a CLI that stops printing when it is corrected ends by the idle timeout", async () => {
  const cli = openCli([FIRST, answers("Still looking.", { after: [FOREVER] })]);
  const run = await cli.finish({ ...request, timeouts: { idleMs: 5_000 } });
  const failure = await expectFailure(run, "timeout", "idle-timeout");
  expect(failure.partialText).toContain("Still looking.");
  expect(cli.starts()).toBe(2);
});

it("the total timeout covers both attempts", async () => {
  const wait: Step = { do: "wait", ms: 6_000 };
  const cli = openCli([answers(CUT_CALL, { before: [wait] }), answers(OSLO, { before: [wait] })]);
  const run = await cli.finish({ ...request, timeouts: { totalMs: 10_000 } });
  await expectFailure(run, "timeout", "total-timeout");
  expect(cli.starts()).toBe(2);
});

it("a correction that would be longer than the CLI takes is not sent, and the run fails", async () => {
  const long = `${"x".repeat(30_000)}\n\n${CUT_CALL}`;
  const cli = openCli([answers(long), answers(OSLO)], withSpawn(plainCli, { limits: { promptBytes: 20_000 } }));
  const run = await cli.finish(request);
  expect(run.end.failure?.category).toMatch(/^(?:validation|invalid_response)$/);
  expect(run.end.finish).toBe("error");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
  expect(cli.starts()).toBe(1);
});
