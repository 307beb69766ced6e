import { setMaxListeners } from "node:events";
import { runBurstEpisode } from "./burst-episode.ts";
import { runCancelEpisode } from "./cancel-episode.ts";
import { EPISODE_CALLS, type Episode, episodeRandom } from "./episode.ts";
import { findLeftovers, holdingsBefore } from "./leftovers.ts";
import { type PlainKind, runPlainEpisode } from "./plain-episode.ts";
import { openSoakPlace } from "./soak-place.ts";
import { SoakTally } from "./soak-tally.ts";

/** The size of a soak. */
export type SoakOptions = {
  readonly calls: number;
  readonly seed: number;
  readonly lanes?: number;
  /** Runs only the episode of this call, up to it. */
  readonly only?: number;
  readonly onCall?: (tally: SoakTally) => void;
};

/** The result of a soak. */
export type SoakReport = { readonly tally: SoakTally; readonly leftovers: readonly string[]; readonly seconds: number };

/** Which of eight episodes is a burst. */
const BURSTS = 6;

/** Runs episodes side by side, each compared with the model, and searches for leftovers. */
export async function runSoak({ calls, seed, lanes = 6, only, onCall }: SoakOptions): Promise<SoakReport> {
  const startedAt = performance.now();
  const before = await holdingsBefore();
  const place = openSoakPlace();
  const tally = new SoakTally(onCall);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  try {
    const pending = episodeNumbers(calls, only).values();
    const work = async (): Promise<void> => {
      for (const number of pending) {
        const firstCall = number * EPISODE_CALLS;
        // A burst is repeated whole.
        const isPart = only !== undefined && number % 8 !== BURSTS;
        const last = isPart
          ? only
          : Math.min(only === undefined ? calls : Number.POSITIVE_INFINITY, firstCall + EPISODE_CALLS) - 1;
        const random = episodeRandom(seed, number);
        await runEpisode({ place, tally, number, random, firstCall, calls: last - firstCall + 1, signal });
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    const leftovers = await findLeftovers(place, before, signal);
    return { tally, leftovers, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    place.remove();
  }
}

function episodeNumbers(calls: number, only: number | undefined): readonly number[] {
  if (only !== undefined) return [Math.floor(only / EPISODE_CALLS)];
  return Array.from({ length: Math.ceil(calls / EPISODE_CALLS) }, (_, number) => number);
}

/** Of eight episodes four share their directory in pairs, two have their own, one is cancelled, one is a burst. */
function runEpisode(episode: Episode): Promise<void> {
  const { number } = episode;
  switch (number % 8) {
    case 3:
      return runCancelEpisode(episode);
    case BURSTS:
      return runBurstEpisode(episode);
    case 2:
    case 7:
      return runPlainEpisode(episode, { state: `state-${number}`, providers: ["a", "b", "c"], isShared: false });
    default:
      return runPlainEpisode(episode, sharedKind(number));
  }
}

function sharedKind(number: number): PlainKind {
  const isFirst = number % 2 === 0;
  const state = `state-${isFirst ? number : number - 1}`;
  return { state, providers: isFirst ? ["a", "b", "c"] : ["d", "e", "f"], isShared: true };
}
