import { expect, it } from "vitest";
import { createProgramClient } from "../../support/clis/program-client.ts";
import { processesOfRun } from "../../support/processes/process-scan.ts";
import { expectNothingLeft, failureOf } from "../../support/runs/run-expectations.ts";
import { startHost } from "../host-process.ts";
import type { SlowConsumerReport } from "../hosts/slow-consumer.ts";

const PIECES = 180_000;
/** Large enough to stand out from the 40 MB of garbage that reading makes. */
const TOTAL_BYTES = PIECES * 1_024;

it("leaving the loop cancels the run and ends its program", async () => {
  const stream = createProgramClient("chatters").start();
  let runId = "";
  for await (const event of stream) {
    if (event.type === "run-start") runId = event.runId;
    if (event.type === "text-delta") break;
  }
  expect(await failureOf(stream)).toMatchObject({ category: "cancelled", code: "interrupted" });
  await expectNothingLeft(runId);
});

it("an error thrown in the loop reaches its caller and ends the program", async () => {
  const stream = createProgramClient("chatters").start();
  let runId = "";
  const reading = async (): Promise<void> => {
    for await (const event of stream) {
      if (event.type === "run-start") runId = event.runId;
      if (event.type === "text-delta") throw new Error("the consumer fell over");
    }
  };
  await expect(reading()).rejects.toThrow("the consumer fell over");
  await expectNothingLeft(runId);
});

it("result() alone reads the whole run", async () => {
  const result = await createProgramClient("answers").start({ keepEvents: true }).result();
  expect(result.text).toBe("All good.");
  const first = result.events?.[0];
  if (first?.type !== "run-start") throw new Error("the run did not begin with run-start");
  await expectNothingLeft(first.runId);
});

it("a slow consumer never holds up the program, and gets everything in order from a file", { timeout: 180_000 }, async () => {
  const host = startHost<SlowConsumerReport>("slow-consumer", { PIECES: String(PIECES) });
  const report = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect(await processesOfRun(report.runId)).toEqual([]);
  expect(host.leftovers()).toEqual([]);
  expect(report.pulledBefore).toBeLessThan(20);
  expect(report).toMatchObject({ piecesInOrder: PIECES, textBytes: TOTAL_BYTES, isNumbered: true });
  expect(report.end).toMatchObject({ type: "run-end", finish: "stop" });
  expect(report.types.filter((type) => type === "run-start" || type === "run-end")).toEqual(["run-start", "run-end"]);
  const grown = { waiting: report.growthBytes.written, read: report.growthBytes.read };
  expect(grown.waiting, "what waits does not wait in memory").toBeLessThan(TOTAL_BYTES / 2);
  expect(grown.read, "what was read does not stay in memory").toBeLessThan(TOTAL_BYTES / 2);
});
