import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { collect } from "../../src/run/collect.ts";
import type { RunEvent, Warning } from "../../src/spec/events.ts";
import type { Failure } from "../../src/spec/failure.ts";
import type { JsonValue } from "../../src/spec/json.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { ExpectedRun } from "./read-recorded-cases.ts";
import { type RecordedCliCase, recordedCliCases, recordedClis, runsOf, toCases } from "./recorded-clis.ts";

type ExpectedCase = Pick<RecordedCliCase, "cli" | "provider" | "name" | "recording"> & {
  readonly runs: readonly ExpectedRun[];
  readonly complete: boolean;
};

const expectedCases = toExpectedCases(recordedCliCases);
const completeCases = expectedCases.filter((recorded) => recorded.complete);

test("every folder of recordings has a CLI that is judged by it", () => {
  const folders = readdirSync(new URL("../../fixtures/", import.meta.url), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(names.toSorted()).toStrictEqual(recordedClis.map(({ cli }) => cli).toSorted());
});

describe.for(recordedClis)("the recordings of $cli", (recordedCli) => {
  const cases = toCases(recordedCli);
  const expectedOnes = toExpectedCases(cases);
  const completeOnes = expectedOnes.filter((recorded) => recorded.complete);

  test("every recording says what is expected of it", () => {
    const silent = cases.filter(({ expected }) => expected === undefined).map(({ name }) => name);
    expect(silent).toStrictEqual([]);
  });

  test("every expectation names at least one run", () => {
    const empty = expectedOnes.filter(({ runs }) => runs.length === 0).map(({ name }) => name);
    expect(empty).toStrictEqual([]);
  });

  test("every expectation that calls itself complete lists the events of each run", () => {
    const lacking = completeOnes.filter(({ runs }) => runs.some((run) => run.events === undefined)).map(({ name }) => name);
    expect(lacking).toStrictEqual([]);
  });

  test(`at least ${recordedCli.completeCases} recordings have complete events`, () => {
    expect(completeOnes.length).toBeGreaterThanOrEqual(recordedCli.completeCases);
  });
});

describe("the events of a recording", () => {
  test.for(completeCases)("$cli $name gives exactly the events that were written down", ({ provider, recording, runs }) => {
    const actual = runsOf({ provider, recording }).map((events) => toComparableEvents(events));
    expect(actual).toStrictEqual(runs.map((run) => (run.events ?? []).map(roundCost)));
  });
});

describe("the result of a recording", () => {
  test.for(expectedCases)("$cli $name gives as many runs as were written down", ({ provider, recording, runs }) => {
    expect(runsOf({ provider, recording })).toHaveLength(runs.length);
  });

  test.for(expectedCases)("$cli $name folds into the results that were written down", ({ provider, recording, runs }) => {
    const results = runsOf({ provider, recording }).map((events) => collect(events));
    const actual = runs.map((run, index) => toExpectedKeys(results[index], run));
    expect(actual).toStrictEqual(runs.map((run) => roundCost(run.result)));
  });
});

function toExpectedCases(cases: readonly RecordedCliCase[]): readonly ExpectedCase[] {
  return cases.flatMap(({ cli, provider, name, recording, expected }) =>
    expected === undefined ? [] : [{ cli, provider, name, recording, runs: expected.runs, complete: expected.complete }],
  );
}

const untimed = new Set(["seq", "atMs", "durationMs"]);

function toComparableEvents(events: readonly RunEvent[]): readonly object[] {
  return events
    .filter((event) => event.type !== "run-start" && event.type !== "attempt-start")
    .map((event) => ("failure" in event && event.failure !== undefined ? { ...event, failure: toReason(event.failure) } : event))
    .map((event) => (isUnfinishedWork(event) ? { type: event.type, code: event.code } : event))
    .map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => !untimed.has(key))))
    .map(roundCost);
}

/** Its message is in our own words, which no recording can tell. */
function isUnfinishedWork(event: object): event is Warning {
  return "code" in event && event.code === "background-unfinished";
}

function toReason({ category, code }: Failure): object {
  return { category, code };
}

/** Costs are differences of decimal fractions; nine digits are more than any bill has. */
function roundCost<T extends object>(value: T): T {
  const cost: unknown = Reflect.get(value, "costUsd");
  return typeof cost === "number" ? { ...value, costUsd: Number(cost.toFixed(9)) } : value;
}

/** The part of a result that the expectation speaks of; what is absent becomes null, as it is written there. */
function toExpectedKeys(result: RunResult | undefined, { result: expected }: ExpectedRun): object {
  const entries = Object.entries(expected).map(([key, wanted]) => {
    const actual: unknown = Reflect.get(result ?? {}, key);
    return [key, key === "failure" ? pick(actual, wanted) : toExpectedEntries(actual, wanted)];
  });
  return roundCost(Object.fromEntries(entries));
}

function toExpectedEntries(actual: unknown, expected: JsonValue): unknown {
  if (!Array.isArray(actual) || !Array.isArray(expected)) return actual ?? null;
  return actual.map((entry: unknown, index) => pick(entry, expected[index]));
}

function pick(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual ?? null;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
