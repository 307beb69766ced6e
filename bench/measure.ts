/** Wall and CPU time of one task done once, in milliseconds. */
export type Sample = { readonly wallMs: number; readonly cpuMs: number };

/** Runs several tasks in turn, many times, so that load on the machine hits all of them; returns the median of each. */
export async function interleave(
  rounds: number,
  contestants: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, Sample>> {
  const samples: Record<string, Sample[]> = {};
  for (let round = -3; round < rounds; round += 1) {
    for (const [name, act] of Object.entries(contestants)) {
      const [cpu, wall] = [process.cpuUsage(), performance.now()];
      await act();
      const wallMs = performance.now() - wall;
      const used = process.cpuUsage(cpu);
      if (round < 0) continue;
      samples[name] = [...(samples[name] ?? []), { wallMs, cpuMs: (used.user + used.system) / 1000 }];
    }
  }
  const medians = Object.entries(samples).map(([name, list]) => [
    name,
    { wallMs: median(list.map((sample) => sample.wallMs)), cpuMs: median(list.map((sample) => sample.cpuMs)) },
  ]);
  return Object.fromEntries(medians) as Record<string, Sample>;
}

/** How many times faster the second task is than the first: the median over pairs, after two warm-up pairs. */
export async function pairedRatio(
  rounds: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<number> {
  const time = async (act: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await act();
    return performance.now() - began;
  };
  const ratios: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const ratio = (await time(first)) / (await time(second));
    if (round >= 0) ratios.push(ratio);
  }
  return median(ratios);
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
