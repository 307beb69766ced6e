import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { collect } from "../run/collect.ts";
import type { RunEvent } from "../spec/events.ts";
import type { RunResult } from "../spec/result.ts";
import type { ExpectedCase, ExpectedRun } from "./recorded-case.ts";

/** Throws if the runs differ from expected.json; fields that expected.json does not have are not compared. */
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
    .map((event) => Object.fromEntries(Object.entries(withoutOwnMessages(event)).filter(([key]) => !NOT_RECORDED.has(key))))
    .map(roundCost);
}

/** Removes the messages that Coxswain writes itself: those of failures and of unfinished background work. */
function withoutOwnMessages(event: RunEvent): object {
  if (event.type === "warning" && event.code === "background-unfinished") return { type: event.type, code: event.code };
  if (!("failure" in event) || event.failure === undefined) return event;
  const { category, code } = event.failure;
  return { ...event, failure: { category, code } };
}

/** The fields of a result that expected.json has; an absent field becomes null, as in that file. */
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

/** Rounds costs to nine digits, because differences of decimal fractions have floating-point errors. */
function roundCost<T extends object>(value: T): T {
  const cost: unknown = Reflect.get(value, "costUsd");
  return typeof cost === "number" ? { ...value, costUsd: Number(cost.toFixed(9)) } : value;
}
