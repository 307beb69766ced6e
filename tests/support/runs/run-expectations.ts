import { expect } from "vitest";
import type { Failure } from "../../../src/spec/failure/failure.ts";
import type { FailureCategory, FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import type { RunStream } from "../../../src/spec/stream.ts";
import { processesOfRun, untilGone } from "../processes/process-scan.ts";
import { eventsOf, type FinishedRun } from "./read-run.ts";

/** Expects that the run answered with this text, in its events and its result, and that none of its processes is left. */
export async function expectAnswer(run: FinishedRun, text: string): Promise<void> {
  expect(run.end.failure).toBeUndefined();
  expect(run.end.finish).toBe("stop");
  const pieces = eventsOf(run.events, "text-delta").filter((event) => event.messageId === run.end.answerId);
  expect(pieces.map((event) => event.text).join("")).toBe(text);
  expect((await run.stream.result()).text).toBe(text);
  await expectNothingLeft(run.runId);
}

/** Expects that the run failed with this code, in its events and its result, and that none of its processes is left. */
export async function expectFailure(run: FinishedRun, category: FailureCategory, code: FailureCode): Promise<Failure> {
  expect(run.end.failure).toMatchObject({ category, code });
  expect(run.end.finish).toBe(category === "cancelled" ? "cancelled" : "error");
  const failure = await failureOf(run.stream);
  expect(failure).toEqual(run.end.failure);
  await expectNothingLeft(run.runId);
  return failure;
}

/** The failure with which `result()` rejects. */
export async function failureOf(stream: RunStream): Promise<Failure> {
  const outcome: unknown = await stream.result().catch((error: unknown) => error);
  if (!RunError.is(outcome)) throw new Error(`result() gave no RunError but ${JSON.stringify(outcome)}`);
  return outcome.failure;
}

/** Expects that no process has the marker of this run. */
export async function expectNothingLeft(runId: string): Promise<void> {
  await untilGone(() => processesOfRun(runId));
}
