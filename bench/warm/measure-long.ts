import type { WarmProcess } from "../../src/spec/client-options.ts";
import type { Host } from "../rivals/host-process.ts";
import { ANSWER } from "../rivals/measure-calls.ts";
import { toQuestion } from "./question.ts";
import type { Stage } from "./stage.ts";

/** Many calls without a past on processes that take several: how many failed, and the memory of the processes on the way. */
export type LongFigures = {
  readonly calls: number;
  readonly failed: number;
  readonly processes: number;
  readonly memoryMb: Readonly<Record<number, number>>;
};

const CALLS = 1000;
const LOOKS: readonly number[] = [100, CALLS];

/** A thousand calls, one after the other. */
export async function measureLong(stage: Stage): Promise<LongFigures> {
  const host = await stage.startCoxswain();
  const pids = new Set<number>();
  const memoryMb: Record<number, number> = {};
  let failed = 0;
  try {
    for (let call = 1; call <= CALLS; call += 1) {
      const { text } = await host.ask(toQuestion(stage.warmly));
      if (text !== ANSWER) failed += 1;
      const kept = await listKept(host);
      for (const { pid } of kept) if (pid !== undefined) pids.add(pid);
      if (LOOKS.includes(call)) memoryMb[call] = kept.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0) / 1024 ** 2;
    }
  } finally {
    await host.end();
  }
  return { calls: CALLS, failed, processes: pids.size, memoryMb };
}

async function listKept(host: Host): Promise<readonly WarmProcess[]> {
  return (await host.do("kept")) as readonly WarmProcess[];
}
