import { compareRequests, type RequestChange } from "./compare-requests.ts";
import { type EventShapes, eventShapes } from "./event-shapes.ts";
import { normalize, normalizePath } from "./normalize.ts";
import type { Observation, ProbePair, RunObservation } from "./probe.ts";

/** A difference between the old version and the new one. */
export type Change = { readonly what: string; readonly from: string; readonly to: string };

/** The differences in one probe. */
export type ProbeChanges = {
  readonly probe: string;
  /** Differences in the product's results. */
  readonly outcome: readonly Change[];
  /** Types of stdout lines whose number changed. */
  readonly lines: readonly Change[];
  readonly requests: readonly RequestChange[];
  readonly left: readonly Change[];
  /** Exit codes, stderr lines, and times that more than doubled or halved. */
  readonly process: readonly Change[];
};

/** Fields of an event that were added or removed; all of them if the event is new. */
export type FieldChange = { readonly event: string; readonly added: readonly string[]; readonly gone: readonly string[] };

/** All differences between two versions. */
export type Drift = {
  readonly probes: readonly ProbeChanges[];
  readonly newEvents: readonly string[];
  readonly goneEvents: readonly string[];
  readonly fields: readonly FieldChange[];
};

const NO_NAMES: ReadonlySet<string> = new Set();

/** Compares the probes of two versions. */
export function compareVersionsOf(pairs: readonly ProbePair[]): Drift {
  const [from, to] = [merge(pairs.map((pair) => eventShapes(pair.from))), merge(pairs.map((pair) => eventShapes(pair.to)))];
  return {
    probes: pairs.map(compareProbe),
    newEvents: missingIn(to.counts.keys(), from.counts),
    goneEvents: missingIn(from.counts.keys(), to.counts),
    fields: [...to.fields.keys()].flatMap((event) => {
      const [before, after] = [from.fields.get(event) ?? NO_NAMES, to.fields.get(event) ?? NO_NAMES];
      const change = { event, added: missingIn(after, before), gone: missingIn(before, after) };
      return change.added.length + change.gone.length === 0 ? [] : [change];
    }),
  };
}

function merge(shapes: readonly EventShapes[]): EventShapes {
  const counts = new Map<string, number>();
  const fields = new Map<string, Set<string>>();
  for (const shape of shapes) {
    for (const [name, count] of shape.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    for (const [name, paths] of shape.fields) fields.set(name, new Set([...(fields.get(name) ?? []), ...paths]));
  }
  return { counts, fields };
}

function missingIn(names: Iterable<string>, there: { has(name: string): boolean }): readonly string[] {
  return [...names].filter((name) => !there.has(name)).toSorted();
}

function compareProbe({ from, to }: ProbePair): ProbeChanges {
  const runs = Array.from({ length: Math.max(from.runs.length, to.runs.length) }, (_, index) => index);
  const named = (index: number, changes: readonly Change[]): readonly Change[] =>
    runs.length === 1 ? changes : changes.map((change) => ({ ...change, what: `run ${index + 1}: ${change.what}` }));
  return {
    probe: from.probe,
    outcome: runs.flatMap((index) => named(index, compareOutcome(from, to, index))),
    lines: compareCounts(eventShapes(from).counts, eventShapes(to).counts),
    requests: compareRequests(from, to),
    left: compareLeft(from, to),
    process: runs.flatMap((index) => named(index, compareProcess(from, to, index))),
  };
}

function compareOutcome(from: Observation, to: Observation, index: number): readonly Change[] {
  const describe = ({ runs, root }: Observation): Readonly<Record<string, string>> => {
    const outcome = runs[index]?.outcome;
    if (outcome === undefined) return {};
    const { toolCalls, warnings, ...rest } = outcome;
    const all = { ...rest, failure: rest.failure ?? "none", tools: toolCalls.join("; "), warnings: warnings.join("; ") };
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, normalize(value, root)]));
  };
  return differences(describe(from), describe(to));
}

function compareProcess(from: Observation, to: Observation, index: number): readonly Change[] {
  const describe = ({ runs, root }: Observation): Readonly<Record<string, string>> => {
    const { exitCode, signal, stderr } = runs[index] ?? NO_RUN;
    return { exit: signal ?? String(exitCode), stderr: normalize(stderr, root).trim().slice(0, 400) };
  };
  const [before = NO_RUN, after = NO_RUN] = [from.runs[index], to.runs[index]];
  const [short, long] = [before.durationMs, after.durationMs].toSorted((one, other) => one - other);
  const isOther = short !== undefined && long !== undefined && long > 2 * short && long - short > 2_000;
  const time = { what: "time", from: `${before.durationMs} ms`, to: `${after.durationMs} ms` };
  return [...differences(describe(from), describe(to)), ...(isOther ? [time] : [])];
}

const NO_RUN: Pick<RunObservation, "exitCode" | "signal" | "stderr" | "durationMs"> = {
  exitCode: null,
  signal: null,
  stderr: "",
  durationMs: 0,
};

function differences(from: Readonly<Record<string, string>>, to: Readonly<Record<string, string>>): readonly Change[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((what) => ({ what, from: from[what] ?? "", to: to[what] ?? "" }))
    .filter((change) => change.from !== change.to);
}

/** The number of deltas varies between runs. */
function compareCounts(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): readonly Change[] {
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((what) => ({ what, from: String(from.get(what) ?? 0), to: String(to.get(what) ?? 0) }))
    .filter(
      ({ what, from: before, to: after }) => before !== after && !(what.includes("delta") && before !== "0" && after !== "0"),
    );
}

function compareLeft(from: Observation, to: Observation): readonly Change[] {
  const files = ({ filesLeft, root }: Observation): ReadonlySet<string> =>
    new Set(filesLeft.map((path) => normalizePath(path, root)));
  const [before, after] = [files(from), files(to)];
  const processes = { what: "processes left", from: String(from.processesLeft), to: String(to.processesLeft) };
  return [
    ...missingIn(after, before).map((path) => ({ what: path, from: "not left", to: "left" })),
    ...missingIn(before, after).map((path) => ({ what: path, from: "left", to: "not left" })),
    ...(processes.from === processes.to ? [] : [processes]),
  ];
}
