import { join } from "node:path";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { createRandom, type Random } from "../support/random.ts";
import type { SoakPlace } from "./soak-place.ts";
import type { SoakTally } from "./soak-tally.ts";

/** Calls in a row that depend only on each other: the smallest part of a soak that can be repeated. */
export type Episode = {
  readonly place: SoakPlace;
  readonly tally: SoakTally;
  readonly number: number;
  readonly random: Random;
  readonly firstCall: number;
  readonly calls: number;
  /** Passed to all calls and never aborted. */
  readonly signal: AbortSignal;
};

/** How many calls an episode has. */
export const EPISODE_CALLS = 20;

/** The random numbers of an episode, which depend on the seed and the number of the episode. */
export function episodeRandom(seed: number, number: number): Random {
  return createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
}

/** The directory of a call. */
export function callDirectory({ place }: Pick<Episode, "place">, name: string): string {
  return join(place.directory, "calls", name);
}

/** The codes of the failures that were followed by another attempt. */
export function overcomeIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "retry" || event.type === "fallback" ? [event.failure.code] : []));
}

/** The present in whole seconds, as error texts state it. */
export function wholeSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}

/** A wall clock that runs and can be moved forward. */
export class JumpingClock {
  private at: number;
  private startedAt = performance.now();

  constructor(at: number) {
    this.at = at;
  }

  readonly now = (): number => Math.floor(this.at + performance.now() - this.startedAt);

  jumpTo(at: number): void {
    this.at = at;
    this.startedAt = performance.now();
  }
}
