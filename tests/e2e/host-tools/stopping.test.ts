import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { CUT_CALL, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli, type ScriptedCli } from "../../support/clis/open-cli.ts";
import { answers, FOREVER, type Play } from "../../support/clis/plays.ts";
import { eventsOf, type FinishedRun, finishRun } from "../../support/runs/read-run.ts";
import { expectFailure, failureOf } from "../../support/runs/run-expectations.ts";

const request = { prompt: "What is the weather in Oslo?", tools: [WEATHER] } as const;
const FIRST = answers(`I will look.\n\n${CUT_CALL}`);
const STUBBORN: Play = [
  { do: "ignore-signals" },
  { do: "leave-process", ms: 600_000 },
  ...answers("Still looking.", { after: [FOREVER] }),
];

it("a run whose signal was aborted before starts nothing", async () => {
  const cli = openCli([FIRST, answers(OSLO)]);
  const run = await cli.finish(request, { signal: AbortSignal.abort() });
  await expectFailure(run, "cancelled", "interrupted");
  expect(cli.starts()).toBe(0);
});

it("a run that is stopped in its first attempt is not corrected, and the shown text is kept", async () => {
  const cli = openCli([answers("", { pieces: ["I will look.\n\n", CUT_CALL], after: [FOREVER] }), answers(OSLO)]);
  const run = await stopAt(cli, (event) => event.type === "text-delta");
  const failure = await expectFailure(run, "cancelled", "interrupted");
  expect(failure.partialText).toBe("I will look.");
  expect(cli.starts()).toBe(1);
});

it("a complete call in the text of a run that is stopped before its end is not returned", async () => {
  const cli = openCli([answers("", { pieces: ["I will look.\n\n", OSLO, "\n\nDone."], after: [FOREVER] })]);
  const run = await stopAt(cli, (event) => event.type === "text-delta");
  await expectFailure(run, "cancelled", "interrupted");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
  const outcome: unknown = await run.stream.result().catch((error: unknown) => error);
  expect(outcome).not.toHaveProperty("result.hostCalls.0");
});

it.each([
  ["between the two calls", (event: RunEvent) => event.type === "warning"],
  ["as the second call begins", (event: RunEvent) => event.type === "attempt-start" && event.attempt === 2],
  ["while the second call speaks", (event: RunEvent) => event.type === "text-delta" && event.text.includes("Still looking.")],
])("a run that is stopped %s leaves no process, also if it ignores signals", async (_when, isTime) => {
  const cli = openCli([FIRST, STUBBORN]);
  const run = await stopAt(cli, isTime);
  await expectFailure(run, "cancelled", "interrupted");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
});

it("a signal stops the second attempt as interrupt() does", async () => {
  const cli = openCli([FIRST, answers("Still looking.", { after: [FOREVER] })]);
  const controller = new AbortController();
  const run = await finishRun(cli.run(request, { signal: controller.signal }), (event) => {
    if (event.type === "text-delta" && event.text.includes("Still")) controller.abort();
  });
  await cli.untilQuiet();
  const failure = await expectFailure(run, "cancelled", "interrupted");
  expect(failure.partialText).toContain("Still looking.");
});

it.each([
  ["during the first call", (event: RunEvent) => event.type === "text-delta"],
  ["between the two calls", (event: RunEvent) => event.type === "warning"],
  ["during the second call", (event: RunEvent) => event.type === "text-delta" && event.text.includes("Still looking.")],
])("leaving the loop %s cancels the run", async (_when, isTime) => {
  const first = answers("", { pieces: ["I will look.", `\n\n${CUT_CALL}`] });
  const cli = openCli([first, answers("Still looking.", { after: [FOREVER] })]);
  const stream = cli.run(request);
  for await (const event of stream) if (isTime(event)) break;
  expect(await failureOf(stream)).toMatchObject({ category: "cancelled", code: "interrupted" });
  await cli.untilQuiet();
});

it("closing the client during the second attempt cancels the run", async () => {
  const cli = openCli([FIRST, answers("Still looking.", { after: [FOREVER] })]);
  let closed: Promise<void> | undefined;
  const run = await finishRun(cli.run(request), (event) => {
    if (event.type === "text-delta" && event.text.includes("Still")) closed = cli.client.close();
  });
  await expectFailure(run, "cancelled", "interrupted");
  await closed;
  await cli.untilQuiet();
});

it("closing the client between the two attempts cancels the run", async () => {
  const cli = openCli([FIRST, answers("Still looking.", { after: [FOREVER] })]);
  let closed: Promise<void> | undefined;
  const run = await finishRun(cli.run(request), (event) => {
    if (event.type === "warning") closed = cli.client.close();
  });
  await expectFailure(run, "cancelled", "interrupted");
  await closed;
  await cli.untilQuiet();
});

it("an abort after the calls were delivered changes nothing", async () => {
  const controller = new AbortController();
  const stream = openCli([answers(OSLO)]).run(request, { signal: controller.signal });
  const result = await stream.result();
  controller.abort();
  stream.interrupt();
  expect(await stream.result()).toEqual(result);
  expect(result.finish).toBe("tool-calls");
});

/** Stops the run at that time; resolves when it has ended and its processes are gone. */
async function stopAt(cli: ScriptedCli, isTime: (event: RunEvent) => boolean): Promise<FinishedRun> {
  const stream = cli.run(request);
  const run = await finishRun(stream, (event) => {
    if (isTime(event)) stream.interrupt();
  });
  await cli.untilQuiet();
  return run;
}
