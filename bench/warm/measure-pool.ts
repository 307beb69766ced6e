import { setTimeout as delay } from "node:timers/promises";
import type { WarmProcess } from "../../src/spec/client-options.ts";
import { median } from "../measure.ts";
import { awaitQuiet } from "../rivals/await-quiet.ts";
import type { Host } from "../rivals/host-process.ts";
import { cpuMsOf, findCaused, findChildren } from "../rivals/processes.ts";
import { toQuestion } from "./question.ts";
import type { Stage } from "./stage.ts";

/** Calls at the same time: until the last answer, with processes that wait and with a new process for each. */
export type BurstFigures = { readonly warmMs: number; readonly coldMs: number; readonly warm: number };

/** The processes that wait after the bursts, and the share of a core that they and the guardian use. */
export type WaitingFigures = { readonly processes: number; readonly corePercent: number; readonly guardianPercent: number };

const BURST = 8;
const POOL = 4;
const WAIT_MS = 30_000;
/** Claude Code uses 1 % of a core for half a minute after its start. */
const SETTLE_MS = 40_000;

/** Bursts of eight calls in turn with a pool of four and cold, then the CPU time of the processes that wait. */
export async function measurePool(
  stage: Stage,
  rounds: number,
): Promise<{ readonly burst: BurstFigures; readonly waiting: WaitingFigures }> {
  const host = await stage.startCoxswain({ warm: { processes: POOL } });
  const wanted = Math.min(POOL, Math.ceil(BURST / stage.resident.wire.turnsAtOnce));
  try {
    const [warmMs, coldMs, warm]: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < rounds; round += 1) {
      const cold = await burstOnce(host, { transport: "spawn" });
      const kept = await burstOnce(host, stage.warmly);
      await untilKept(host, wanted);
      if (round < 0) continue;
      coldMs.push(cold.wallMs);
      warmMs.push(kept.wallMs);
      warm.push(kept.warm);
    }
    const burst = { warmMs: median(warmMs), coldMs: median(coldMs), warm: median(warm) };
    return { burst, waiting: await measureWaiting(host) };
  } finally {
    await host.end();
  }
}

async function burstOnce(host: Host, how: object): Promise<{ readonly wallMs: number; readonly warm: number }> {
  await delay(1000);
  await awaitQuiet();
  const questions = Array.from({ length: BURST }, () => toQuestion({ ...how }));
  return (await host.do("burst", { questions })) as { wallMs: number; warm: number };
}

async function untilKept(host: Host, count: number): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (((await host.do("kept")) as readonly WarmProcess[]).length < count && performance.now() < deadline) await delay(100);
}

async function measureWaiting(host: Host): Promise<WaitingFigures> {
  const clis = findCaused(host.marker, host.pid).map(({ pid }) => pid);
  // The environment of the guardian has no marker.
  const guardian = findChildren(host.pid).filter((pid) => !clis.includes(pid));
  const waiting = [...clis, ...guardian];
  const used = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  await delay(SETTLE_MS);
  const [all, own, began] = [used(waiting), used(guardian), performance.now()];
  await delay(WAIT_MS);
  const toPercent = (ms: number): number => (ms / (performance.now() - began)) * 100;
  return {
    processes: ((await host.do("kept")) as readonly WarmProcess[]).length,
    corePercent: toPercent(used(waiting) - all),
    guardianPercent: toPercent(used(guardian) - own),
  };
}
