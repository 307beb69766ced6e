import type { Failure } from "../../src/spec/failure/failure.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { ModelCall } from "./model/model-call.ts";
import type { DecidedPrediction, FailureFacts, SkeletonEvent } from "./model/prediction.ts";
import type { Range } from "./model/range.ts";
import { answerOf } from "./prepare-call.ts";
import type { SeenCall } from "./run-call.ts";

/** The allowed delay of the machine. */
const LATENESS_MS = 60_000;

/** The differences between a real call and its prediction. */
export function compareCall(name: string, call: ModelCall, prediction: DecidedPrediction, seen: SeenCall): readonly string[] {
  const wrong = [...compareSkeleton(prediction.events, skeletonOf(seen.events)), ...compareOutcome(name, call, prediction, seen)];
  const [must, were] = [JSON.stringify(sorted(prediction.processes)), JSON.stringify(sorted(seen.processes))];
  if (must !== were) wrong.push(`processes: predicted ${must}, seen ${were}`);
  const twice = clashingIds(seen);
  if (twice.length > 0) wrong.push(`several processes have the run id ${twice.join(", ")}`);
  const last = seen.events.at(-1);
  if (last?.type !== "run-end" || last.failure?.code !== seen.result.failure?.code) wrong.push("its end and its result differ");
  const longestMs = prediction.elapsedMs.max + LATENESS_MS;
  if (seen.elapsedMs > longestMs) wrong.push(`it took ${Math.round(seen.elapsedMs)} ms, at most ${longestMs} were predicted`);
  return wrong;
}

/** The run ids that more than one process of the call had. */
function clashingIds({ runIds }: SeenCall): readonly string[] {
  return runIds.filter((id, index) => runIds.indexOf(id) !== index);
}

/** The part of an event that the policies decide, in one line; undefined for all other events. */
export function wordOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "attempt-start":
      return `attempt ${event.attempt} ${event.provider}/${event.model ?? ""}`;
    case "warning":
      return `warning ${event.code}`;
    case "retry":
      return `retry of ${event.attempt} after ${event.failure.code}`;
    case "fallback":
      return `fallback from ${event.from} to ${event.to} after ${event.failure.code}`;
    case "queue-wait":
    case "text-reset":
      return event.type;
    default:
      return undefined;
  }
}

/** The same of a predicted event. */
export function predictedWord(event: SkeletonEvent): string {
  switch (event.type) {
    case "attempt-start":
      return `attempt ${event.attempt} ${event.provider}/${event.model ?? ""}`;
    case "warning":
      return `warning ${event.code}`;
    case "retry":
      return `retry of ${event.attempt} after ${event.code}`;
    case "fallback":
      return `fallback from ${event.from} to ${event.to} after ${event.code}`;
    case "text-reset":
      return event.type;
  }
}

type SeenEvent = { readonly word: string; readonly event: RunEvent };

function skeletonOf(events: readonly RunEvent[]): readonly SeenEvent[] {
  return events.flatMap((event) => {
    const word = wordOf(event);
    return word === undefined ? [] : [{ word, event }];
  });
}

function compareSkeleton(predicted: readonly SkeletonEvent[], seen: readonly SeenEvent[]): readonly string[] {
  const [must, were] = [predicted.map(predictedWord), seen.map(({ word }) => word)];
  if (must.join("; ") !== were.join("; ")) return [`events: predicted [${must.join("; ")}], seen [${were.join("; ")}]`];
  return predicted.flatMap((event, index) => {
    const there = seen[index]?.event;
    if (event.type !== "retry" || there?.type !== "retry" || isWithin(there.delayMs, event.delayMs)) return [];
    return [`retry of ${event.attempt}: predicted a delay of ${rangeWord(event.delayMs)}, seen ${there.delayMs}`];
  });
}

function compareOutcome(name: string, call: ModelCall, prediction: DecidedPrediction, { result }: SeenCall): readonly string[] {
  const { outcome, events } = prediction;
  const wrong: string[] = [];
  const total = result.usage?.totalTokens ?? 0;
  if (total !== prediction.tokens) wrong.push(`tokens: predicted ${prediction.tokens}, seen ${total}`);
  if ((result.costUsd ?? 0) !== prediction.usd) wrong.push(`usd: predicted ${prediction.usd}, seen ${result.costUsd}`);
  if (!outcome.answer) return [...wrong, ...compareFailure(outcome.failure, result.failure, result.finish)];
  if (result.failure !== undefined) return [...wrong, `predicted an answer, seen ${describe(result.failure)}`];
  const provider = events.findLast((event) => event.type === "attempt-start")?.provider ?? "";
  const wantsObject = call.request.needs?.includes("output-schema") === true;
  if (wantsObject && JSON.stringify(result.object) !== '{"whole":true}')
    wrong.push(`object: seen ${JSON.stringify(result.object)}`);
  const text = answerOf(name, provider);
  if (!wantsObject && result.text !== text) wrong.push(`text: predicted "${text}", seen "${result.text.slice(0, 200)}"`);
  return wrong;
}

function compareFailure(facts: FailureFacts, failure: Failure | undefined, finish: string): readonly string[] {
  if (failure?.code !== facts.code)
    return [`end: predicted ${facts.code}, seen ${failure === undefined ? "an answer" : describe(failure)}`];
  const wrong: string[] = [];
  const resetAt = failure.resetAt === undefined ? undefined : Date.parse(failure.resetAt);
  if (resetAt !== facts.resetAt) wrong.push(`resetAt: predicted ${isoWord(facts.resetAt)}, seen ${failure.resetAt}`);
  const { retryAfterMs } = facts;
  // A rest is reported in whole milliseconds.
  const isRight =
    retryAfterMs === undefined || isWithin(failure.retryAfterMs ?? -1, { min: retryAfterMs.min, max: retryAfterMs.max + 1 });
  if (!isRight) wrong.push(`retryAfterMs: predicted ${rangeWord(retryAfterMs)}, seen ${failure.retryAfterMs}`);
  if ((finish === "cancelled") !== (facts.code === "interrupted")) wrong.push(`${facts.code} finishes with ${finish}`);
  return wrong;
}

function describe({ code, message }: Failure): string {
  return `${code} (${message.slice(0, 160)})`;
}

function isWithin(value: number, { min, max }: Range): boolean {
  return value >= min && value <= max;
}

function rangeWord({ min, max }: Range): string {
  return `${min}–${max} ms`;
}

function isoWord(time: number | undefined): string {
  return time === undefined ? "none" : new Date(time).toISOString();
}

function sorted(counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(counts).toSorted(([one], [other]) => one.localeCompare(other));
}
