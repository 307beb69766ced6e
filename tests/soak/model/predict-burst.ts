import type { BurstCall, BurstMoment, BurstPrediction, BurstRefusal, BurstStep } from "./burst.ts";
import type { ModelClient } from "./model-client.ts";
import { UndecidedError } from "./range.ts";

type Places = {
  readonly perProvider: number;
  readonly total: number;
  readonly queue: number;
  elapsedMs: number;
  readonly running: Map<string, BurstCall>;
  waiting: BurstCall[];
  readonly positions: Map<string, number[]>;
};

/** The predicted work of the limit with runs that begin at once; throws an UndecidedError if two clocks would race. */
export function predictBurst(
  client: ModelClient,
  calls: readonly BurstCall[],
  steps: readonly BurstStep[] = [],
): BurstPrediction {
  const limit = client.policies.limit;
  const none = Number.POSITIVE_INFINITY;
  const { perProvider, total, queue } = limit === false ? { perProvider: none, total: none, queue: none } : limit;
  const places: Places = { perProvider, total, queue, elapsedMs: 0, running: new Map(), waiting: [], positions: new Map() };
  const moments = [begin(places, calls), ...steps.map((step) => takeStep(places, step))];
  return { moments, positions: Object.fromEntries(places.positions) };
}

function begin(places: Places, calls: readonly BurstCall[]): BurstMoment {
  const started: string[] = [];
  const refused: BurstRefusal[] = [];
  for (const call of calls) {
    if (hasPlace(places, call.provider)) {
      places.running.set(call.id, call);
      started.push(call.id);
    } else if (places.waiting.length >= places.queue) {
      refused.push({ id: call.id, code: "queue-full", queueLength: places.waiting.length });
    } else {
      places.waiting.push(call);
    }
  }
  return { started, refused, moved: notePositions(places) };
}

function takeStep(places: Places, step: BurstStep): BurstMoment {
  const refused: BurstRefusal[] = [];
  if ("ended" in step) {
    if (!places.running.delete(step.ended)) throw new RangeError(`${step.ended} has no place.`);
  } else if ("cancelled" in step) {
    refused.push({ id: leaveQueue(places, step.cancelled), code: "interrupted" });
  } else {
    places.elapsedMs += step.passedMs;
    for (const { call, code } of dueCalls(places)) refused.push({ id: leaveQueue(places, call.id), code });
  }
  return { started: startWaiting(places), refused, moved: notePositions(places) };
}

function leaveQueue(places: Places, id: string): string {
  if (!places.waiting.some((call) => call.id === id)) throw new RangeError(`${id} does not wait.`);
  places.waiting = places.waiting.filter((call) => call.id !== id);
  return id;
}

/** The run that has waited longest and whose provider has a place goes first. */
function startWaiting(places: Places): readonly string[] {
  const started: string[] = [];
  for (const call of [...places.waiting]) {
    if (!hasPlace(places, call.provider)) continue;
    places.running.set(call.id, call);
    started.push(leaveQueue(places, call.id));
  }
  return started;
}

function hasPlace({ running, perProvider, total }: Places, provider: string): boolean {
  const ofProvider = [...running.values()].filter((call) => call.provider === provider);
  return running.size < total && ofProvider.length < perProvider;
}

/** The waiting runs that have waited too long, the earliest first. */
function dueCalls(places: Places): readonly { readonly call: BurstCall; readonly code: "queue-full" | "total-timeout" }[] {
  for (const { id, totalMs = Number.POSITIVE_INFINITY } of places.running.values()) {
    if (totalMs <= places.elapsedMs) throw new RangeError(`${id} has a place and must be ended before its totalMs.`);
  }
  const due = places.waiting.map((call) => {
    const { maxWaitMs = Number.POSITIVE_INFINITY, totalMs = Number.POSITIVE_INFINITY } = call;
    const atMs = Math.min(maxWaitMs, totalMs);
    if (maxWaitMs === totalMs && atMs <= places.elapsedMs) throw new UndecidedError("whether maxWaitMs or totalMs comes first");
    return { call, atMs, code: maxWaitMs < totalMs ? ("queue-full" as const) : ("total-timeout" as const) };
  });
  return due.filter(({ atMs }) => atMs <= places.elapsedMs).toSorted((one, other) => one.atMs - other.atMs);
}

/** The position, from 1, among all that wait, at the beginning and whenever it changes. */
function notePositions(places: Places): BurstMoment["moved"] {
  const moved: { id: string; position: number }[] = [];
  for (const [index, { id }] of places.waiting.entries()) {
    const positions = places.positions.get(id) ?? [];
    if (positions.at(-1) === index + 1) continue;
    places.positions.set(id, [...positions, index + 1]);
    moved.push({ id, position: index + 1 });
  }
  return moved;
}
