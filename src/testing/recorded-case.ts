import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collect } from "../run/collect.ts";
import type { Recording } from "../run/replay.ts";
import type { RunEvent } from "../spec/events.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { OutputFormat } from "../spec/wire.ts";

/** What one turn of a recorded case must give; `events` only where all of them were written down. */
export type ExpectedRun = { readonly events?: readonly JsonObject[]; readonly result: JsonObject };

/** What a recorded case must give; fixtures/README.md describes the file. */
export type ExpectedCase = {
  /** What the CLI was told to print, where that is not the provider's default. */
  readonly format?: OutputFormat;
  /** Whether every run lists all its events. */
  readonly complete: boolean;
  readonly runs: readonly ExpectedRun[];
};

/** A recorded run of a real CLI and what is known to have happened in it. */
export type RecordedCase = { readonly recording: Recording; readonly expected: ExpectedCase };

type CaseFile = { readonly exitCode: number | null; readonly signal?: string | null };

/** Reads a fixture folder; throws where it lacks a file. */
export function readRecordedCase(folder: string): RecordedCase {
  const { exitCode, signal } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as CaseFile;
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as ExpectedCase;
  const recording = {
    ...(expected.format !== undefined && { format: expected.format }),
    stdout: readFileSync(join(folder, "stdout")),
    stderr: readFileSync(join(folder, "stderr"), "utf8"),
    ...(exitCode !== null && { exitCode }),
    ...(typeof signal === "string" && { signal }),
  };
  return { recording, expected };
}

/** Throws unless the runs are as they were written down; what was not written down is not judged. */
export function judgeRuns(runs: readonly (readonly RunEvent[])[], { complete, runs: expected }: ExpectedCase): void {
  ok(expected.length > 0, "expected.json names no run: a process that prints nothing is still one.");
  strictEqual(runs.length, expected.length, `The recording has ${runs.length} runs, and expected.json names ${expected.length}.`);
  for (const [index, run] of expected.entries()) {
    const events = runs[index] ?? [];
    deepStrictEqual(statedResult(collect(events), run), roundCost(run.result));
    ok(!complete || run.events !== undefined, "expected.json calls itself complete and lacks the events of a run.");
    if (run.events !== undefined) deepStrictEqual(comparableEvents(events), run.events.map(roundCost));
  }
}

const NOT_RECORDED: ReadonlySet<string> = new Set(["seq", "atMs", "durationMs"]);

function comparableEvents(events: readonly RunEvent[]): readonly object[] {
  return events
    .filter((event) => event.type !== "run-start" && event.type !== "attempt-start")
    .map((event) => Object.fromEntries(Object.entries(inRecordedWords(event)).filter(([key]) => !NOT_RECORDED.has(key))))
    .map(roundCost);
}

/** The messages of failures and of work that did not finish are in our own words, which no recording can tell. */
function inRecordedWords(event: RunEvent): object {
  if (event.type === "warning" && event.code === "background-unfinished") return { type: event.type, code: event.code };
  if (!("failure" in event) || event.failure === undefined) return event;
  const { category, code } = event.failure;
  return { ...event, failure: { category, code } };
}

/** The part of a result that the expectation speaks of; what is absent becomes null, as it is written there. */
function statedResult(result: RunResult, { result: expected }: ExpectedRun): object {
  const entries = Object.entries(expected).map(([key, wanted]) => {
    const actual: unknown = Reflect.get(result, key);
    if (key === "failure") return [key, statedPart(actual, wanted)];
    if (!Array.isArray(actual) || !Array.isArray(wanted)) return [key, actual ?? null];
    return [key, actual.map((entry: unknown, index) => statedPart(entry, wanted[index]))];
  });
  return roundCost(Object.fromEntries(entries));
}

function statedPart(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual ?? null;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Costs are differences of decimal fractions; nine digits are more than any bill has. */
function roundCost<T extends object>(value: T): T {
  const cost: unknown = Reflect.get(value, "costUsd");
  return typeof cost === "number" ? { ...value, costUsd: Number(cost.toFixed(9)) } : value;
}
