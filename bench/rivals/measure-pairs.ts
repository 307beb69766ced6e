import { median } from "../measure.ts";
import type { Contest } from "./contest.ts";
import { callOnce, type Rounds } from "./measure-calls.ts";

/** Coxswain compared with the bare CLI with the same launch: the median and the quartiles of the ratios of all pairs. */
export type PairFigures = {
  readonly pairs: number;
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
  /** The bare CLI compared with itself: the error of this measurement. */
  readonly control: number;
  readonly bareMs: number;
  readonly coxswainMs: number;
};

const NAMES = ["bare", "bare", "coxswain"] as const;

/** Cold calls of two bare hosts and Coxswain in turn; each round begins with another one and gives two pairs. */
export async function measurePairs(contest: Contest, { warmUp, rounds }: Rounds): Promise<PairFigures> {
  const hosts = await Promise.all(NAMES.map((name) => contest.start(name)));
  const times: { first: number; second: number; ours: number }[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const totals: number[] = [];
    for (let turn = 0; turn < hosts.length; turn += 1) {
      const index = (turn + round + warmUp) % hosts.length;
      const host = hosts[index];
      if (host !== undefined) totals[index] = (await callOnce(contest, host, "pure")).totalMs;
    }
    const [first = Number.NaN, second = Number.NaN, ours = Number.NaN] = totals;
    if (round >= 0) times.push({ first, second, ours });
  }
  for (const host of hosts) await host.end();
  const ratios = times.flatMap(({ first, second, ours }) => [ours / first, ours / second]);
  return {
    pairs: ratios.length,
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    control: median(times.map(({ first, second }) => second / first)),
    bareMs: median(times.flatMap(({ first, second }) => [first, second])),
    coxswainMs: median(times.map(({ ours }) => ours)),
  };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}
