import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "../replay/replay.ts";
import { collect } from "../run/collect.ts";
import type { JsonObject } from "../spec/json.ts";
import { isJsonObject } from "../spec/json.ts";
import type { RunMode } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";

/** The expected result of one turn of a recorded case, and its events if all of them are listed. */
export type ExpectedRun = { readonly events?: readonly JsonObject[]; readonly result: JsonObject };

/** The content of expected.json, which fixtures/README.md describes. */
export type ExpectedCase = {
  /** The output format of the recording, if it is not the provider's default. */
  readonly format?: OutputFormat;
  /** The transport of the recording, if it is not `spawn`. */
  readonly transport?: "spawn" | "resident";
  /** True if every run lists all its events. */
  readonly complete: boolean;
  readonly runs: readonly ExpectedRun[];
};

/** A recorded run of a real CLI and its expected events and results. */
export type RecordedCase = { readonly recording: Recording; readonly expected: ExpectedCase };

type CaseFile = { readonly exitCode: number | null; readonly signal?: string | null; readonly mode?: RunMode };

/** Throws if a file is missing. */
export function readRecordedCase(folder: string): RecordedCase {
  const { exitCode, signal, mode } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as CaseFile;
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as ExpectedCase;
  const stdin = join(folder, "stdin");
  const recording = {
    ...(expected.format !== undefined && { format: expected.format }),
    ...(expected.transport !== undefined && { transport: expected.transport }),
    ...(mode !== undefined && { mode }),
    ...(existsSync(stdin) && { stdin: readFileSync(stdin, "utf8") }),
    stdout: readFileSync(join(folder, "stdout")),
    stderr: readFileSync(join(folder, "stderr"), "utf8"),
    ...(exitCode !== null && { exitCode }),
    ...(typeof signal === "string" && { signal }),
  };
  return { recording, expected };
}

/** Throws if the runs differ from expected.json; fields that expected.json does not have are not compared. */
export function judgeRuns(runs: readonly (readonly RunEvent[])[], { complete, runs: expected }: ExpectedCase): void {
  ok(expected.length > 0, "expected.json names no run: a process that prints nothing is still one.");
  strictEqual(runs.length, expected.length, `The recording has ${runs.length} runs, and expected.json names ${expected.length}.`);
  for (const [index, run] of expected.entries()) {
    const events = runs[index] ?? [];
    const place = `expected.json, runs[${index}]`;
    demandSame(statedResult(collect(events), run), roundCost(run.result), `The result (+) is not ${place}.result (-).`);
    ok(!complete || run.events !== undefined, "expected.json calls itself complete and lacks the events of a run.");
    if (run.events === undefined) continue;
    demandSame(comparableEvents(events), run.events.map(roundCost), `The events (+) are not ${place}.events (-).`);
  }
}

/** Throws an AssertionError that begins with these words and shows the difference. */
export function demandSame(actual: unknown, expected: unknown, words: string): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    if (error instanceof Error) error.message = `${words}\n${error.message}`;
    throw error;
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
  if (!isJsonObject(actual) || !isJsonObject(expected)) return actual ?? null;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}

/** Rounds costs to nine digits, because differences of decimal fractions have floating-point errors. */
function roundCost<T extends object>(value: T): T {
  const cost: unknown = Reflect.get(value, "costUsd");
  return typeof cost === "number" ? { ...value, costUsd: Number(cost.toFixed(9)) } : value;
}
