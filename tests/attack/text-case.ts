import { createRandom } from "../support/random.ts";
import { seedOf, shuffled } from "../support/recordings/seeds.ts";
import type { AttackJob, Subject, Verdict } from "./attack-case.ts";
import { SHAPES } from "./shapes.ts";

const SIZES: readonly number[] = [5000, 50_000, 500_000];
const MOST_GROWTH = 12;
/** Shorter times are counted as this, because they are mostly noise. */
const LEAST_CPU_MS = 15;

/** Hostile answers, given to `parseToolCalls` without a process: `texts/<shape>`. */
export const texts: Subject = {
  name: "texts",
  share: 0.5,
  atOnce: 1,
  deadlineMs: 60_000,
  select(beginning, seed) {
    const names = SHAPES.map(({ name }) => `texts/${name}`);
    return shuffled(names, createRandom(seedOf(seed, "texts"))).filter((name) => name.startsWith(beginning));
  },
  async run({ name }: AttackJob): Promise<Verdict> {
    const shape = SHAPES.find((one) => name === `texts/${one.name}`);
    if (shape === undefined) throw new Error(`no case ${name}`);
    // LangChain takes a while to load, and the other cases do not need it.
    const { parseToolCalls } = await import("../../src/adapters/langchain/index.ts");
    let before = LEAST_CPU_MS;
    for (const [index, bytes] of SIZES.entries()) {
      const text = shape.make(bytes);
      const most = MOST_GROWTH * before;
      // The first call of a size is often the only one: a second is made when the first took too long.
      const first = cpuTimeOf(() => parseToolCalls(text));
      const cpuMs =
        first > most
          ? Math.min(
              first,
              cpuTimeOf(() => parseToolCalls(text)),
            )
          : first;
      const counts = { texts: index + 1 };
      if (cpuMs > most)
        return { problems: [`${bytes} bytes take ${Math.round(cpuMs)} ms, at most ${Math.round(most)} are allowed`], counts };
      before = Math.max(LEAST_CPU_MS, cpuMs);
    }
    return { problems: [], counts: { texts: SIZES.length } };
  },
};

function cpuTimeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
