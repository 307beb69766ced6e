import { expect } from "vitest";
import { claude } from "../../../src/clis/claude/provider.ts";
import { replayRecording } from "../../../src/replay/replay.ts";
import { collect } from "../../../src/run/collect.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import type { OutputFormat } from "../../../src/spec/wire/wire.ts";
import { findBreaches } from "../../support/runs/find-breaches.ts";

/** A line of output: an object that becomes JSON, or the text itself. */
export type Line = JsonObject | string;

/** The exit of the process; exit code 0 by default. */
export type Ending = { readonly exitCode?: number; readonly signal?: string; readonly stderr?: string };

/** A run in the form that tests compare: events without numbers and times, a failure only by its category and code. */
export type ReplayedRun = { readonly events: readonly object[]; readonly result: RunResult; readonly raw: readonly RunEvent[] };

/** The runs of an output; throws unless every event is valid by docs/events.md. */
export function replayOutput(format: OutputFormat, stdout: string | Uint8Array, ending: Ending = {}): readonly ReplayedRun[] {
  const bytes = typeof stdout === "string" ? Buffer.from(stdout) : stdout;
  return replayRecording(claude, { format, stdout: bytes, ...ending }).map((raw) => {
    expect(findBreaches(raw)).toStrictEqual([]);
    return { events: toComparable(raw), result: collect(raw), raw };
  });
}

/** The runs of some stream-json lines. */
export function replayLines(lines: readonly Line[], ending: Ending = {}): readonly ReplayedRun[] {
  const output = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  return replayOutput("stream-json", output, ending);
}

/** The only run of some stream-json lines. */
export function replayTurn(lines: readonly Line[], ending: Ending = {}): ReplayedRun {
  return theOnly(replayLines(lines, ending));
}

/** The only run of a list. */
export function theOnly(runs: readonly ReplayedRun[]): ReplayedRun {
  const [run, ...others] = runs;
  if (run === undefined || others.length > 0) throw new Error(`one run was expected, there were ${runs.length}`);
  return run;
}

/** The events between `session-start` and `usage`. */
export function eventsBetween({ events }: ReplayedRun): readonly object[] {
  const outer = new Set(["session-start", "usage", "run-end"]);
  return events.filter((event) => !outer.has(Reflect.get(event, "type")));
}

/** The events of some types, in their order. */
export function eventsOf({ events }: ReplayedRun, ...types: readonly RunEvent["type"][]): readonly object[] {
  return events.filter((event) => types.some((type) => type === Reflect.get(event, "type")));
}

/** The last event of a run. */
export function endOf({ events }: ReplayedRun): object | undefined {
  return events.at(-1);
}

const untimed = new Set(["seq", "atMs", "durationMs"]);

function toComparable(events: readonly RunEvent[]): readonly object[] {
  return events
    .filter(({ type }) => type !== "run-start" && type !== "attempt-start")
    .map((event) =>
      Object.fromEntries(
        Object.entries(event)
          .filter(([key]) => !untimed.has(key))
          .map(toComparableEntry),
      ),
    );
}

function toComparableEntry([key, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (key === "failure" && typeof value === "object" && value !== null)
    return [key, { category: Reflect.get(value, "category"), code: Reflect.get(value, "code") }];
  // Costs are differences of decimal fractions; nine digits remove the rounding error.
  return [key, key === "costUsd" && typeof value === "number" ? Number(value.toFixed(9)) : value];
}
