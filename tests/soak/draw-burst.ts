import { happens, pick, type Random, wholeBetween } from "../support/random.ts";
import type { BurstCall, BurstPrediction, BurstStep } from "./model/burst.ts";
import type { ModelClient } from "./model/model-client.ts";
import { predictBurst } from "./model/predict-burst.ts";

/** How long a run waits that gives up waiting. */
const PATIENCE_MS = 400;

/** Runs that begin at once, the steps until all have ended, and the predicted events. */
export type DrawnBurst = {
  readonly calls: readonly BurstCall[];
  readonly steps: readonly BurstStep[];
  readonly prediction: BurstPrediction;
};

/** Draws a burst; a clock runs out at most once and at the beginning, so that nothing races with it. */
export function drawBurst(random: Random, client: ModelClient, count: number): DrawnBurst {
  const [first = "a", ...others] = Object.keys(client.providers);
  const plain = Array.from({ length: count }, (_, index) => ({
    id: `run${index}`,
    provider: pick(random, [first, ...others]),
  }));
  const { calls, steps } = withImpatience(random, client, plain);
  for (;;) {
    const prediction = predictBurst(client, calls, steps);
    const next = drawStep(random, calls, steps, prediction);
    if (next === undefined) return { calls, steps, prediction };
    steps.push(next);
  }
}

function withImpatience(
  random: Random,
  client: ModelClient,
  plain: readonly BurstCall[],
): { readonly calls: readonly BurstCall[]; readonly steps: BurstStep[] } {
  const [waiting, ...others] = predictBurst(client, plain).moments[0]?.moved.map(({ id }) => id) ?? [];
  if (waiting === undefined || !happens(random, 0.4)) return { calls: plain, steps: [] };
  const impatient = pick(random, [waiting, ...others]);
  const clock = happens(random, 0.5) ? { maxWaitMs: PATIENCE_MS } : { totalMs: PATIENCE_MS };
  return {
    calls: plain.map((call) => (call.id === impatient ? { ...call, ...clock } : call)),
    steps: [{ passedMs: PATIENCE_MS }],
  };
}

/** A run with a place ends, or a waiting run is cancelled; none when all have ended. */
function drawStep(
  random: Random,
  calls: readonly BurstCall[],
  steps: readonly BurstStep[],
  { moments }: BurstPrediction,
): BurstStep | undefined {
  const ended = new Set(steps.flatMap((step) => ("ended" in step ? [step.ended] : [])));
  const refused = new Set(moments.flatMap((moment) => moment.refused.map(({ id }) => id)));
  const started = new Set(moments.flatMap((moment) => moment.started));
  const running = [...started].filter((id) => !ended.has(id));
  const waiting = calls.map(({ id }) => id).filter((id) => !started.has(id) && !refused.has(id));
  const [oneWaits, ...othersWait] = waiting;
  if (oneWaits !== undefined && happens(random, 0.25)) return { cancelled: pick(random, [oneWaits, ...othersWait]) };
  const [oneRuns, ...othersRun] = running;
  return oneRuns === undefined ? undefined : { ended: pick(random, [oneRuns, ...othersRun]) };
}

/** The limits of a burst: few enough to be reached. */
export function drawLimit(random: Random): { perProvider: number; total: number; queue: number } {
  return { perProvider: wholeBetween(random, 1, 3), total: wholeBetween(random, 1, 4), queue: wholeBetween(random, 0, 6) };
}
