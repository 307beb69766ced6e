import { setTimeout as delay } from "node:timers/promises";
import { median } from "../measure.ts";
import { awaitQuiet } from "./await-quiet.ts";
import { type Contest, toQuestion } from "./contest.ts";
import type { CallReport, Host, Variant } from "./host-process.ts";
import { findCaused, findChildren, peakMemoryMb } from "./processes.ts";

/** Medians over the calls of one contestant, and the peaks of its processes. */
export type CallFigures = {
  readonly calls: number;
  readonly firstTextMs: number;
  readonly totalMs: number;
  /** Of the host process alone, from the call until the CLI has exited. */
  readonly hostCpuMs: number;
  readonly hostPeakMb: number;
  /** Of processes beside the host that stay between calls; 0 when there are none. */
  readonly helperPeakMb: number;
  /** The bytes that the CLI sent to the API for one call. */
  readonly requestBytes: number;
};

type Sample = CallReport & { readonly firstTextMs: number; readonly cpuMs: number; readonly requestBytes: number };

/** The number of calls, and the number of warm-up calls, which are not counted. */
export type Rounds = { readonly warmUp: number; readonly rounds: number };

/** The model's answer. */
export const ANSWER = "Sunlight is scattered by the air, and blue light is scattered the most, so blue is what we see.";

/** Cold calls of all contestants in turn; each round begins with another contestant. */
export async function measureCalls(
  contest: Contest,
  variant: Variant,
  { warmUp, rounds }: Rounds,
): Promise<Readonly<Record<string, CallFigures>>> {
  const hosts = await Promise.all(contest.names.map((name) => contest.start(name)));
  const samples = hosts.map((): Sample[] => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let turn = 0; turn < hosts.length; turn += 1) {
      const index = (turn + round + warmUp) % hosts.length;
      const sample = await callOnce(contest, hosts[index] as Host, variant);
      if (round >= 0) samples[index]?.push(sample);
    }
  }
  const figures = hosts.map((host, index) => [contest.names[index], toFigures(host, samples[index] ?? [])]);
  for (const host of hosts) await host.end();
  return Object.fromEntries(figures) as Record<string, CallFigures>;
}

/** One call that must give the right answer. It begins when the machine is idle and ends when the CLI has exited. */
export async function callOnce({ arena }: Contest, host: Host, variant: Variant): Promise<Sample> {
  arena.api.answerWith({ kind: "text", text: ANSWER, deltas: 14 });
  const requestsBefore = arena.api.modelRequests.length;
  await awaitQuiet();
  const cpuBefore = await host.cpuMs();
  const report = await host.ask(toQuestion(variant));
  if (report.text !== ANSWER || report.firstTextMs === undefined) throw new Error(`no answer: ${JSON.stringify(report)}`);
  await untilGone(host, 30_000);
  const cpuMs = (await host.cpuMs()) - cpuBefore;
  const requestBytes = arena.api.modelRequests
    .slice(requestsBefore)
    .reduce((bytes, request) => bytes + Buffer.byteLength(request.rawBody), 0);
  return { ...report, firstTextMs: report.firstTextMs, cpuMs, requestBytes };
}

/** Waits until every process that the host started has ended, so that the end of one call does not slow the next. */
export async function untilGone(host: Host, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (findCaused(host.marker, host.pid).length > 0) {
    if (performance.now() > deadline) return false;
    await delay(50);
  }
  return true;
}

function toFigures(host: Host, samples: readonly Sample[]): CallFigures {
  return {
    calls: samples.length,
    firstTextMs: median(samples.map((sample) => sample.firstTextMs)),
    totalMs: median(samples.map((sample) => sample.totalMs)),
    hostCpuMs: median(samples.map((sample) => sample.cpuMs)),
    hostPeakMb: peakMemoryMb(host.pid),
    helperPeakMb: findChildren(host.pid).reduce((sum, pid) => sum + peakMemoryMb(pid), 0),
    requestBytes: median(samples.map((sample) => sample.requestBytes)),
  };
}
