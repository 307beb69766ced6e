import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "../../src/client.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunStream } from "../../src/spec/stream.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { wholeBetween } from "../support/random.ts";
import { checkGrammar } from "../support/runs/check-grammar.ts";
import { INIT, message, result } from "./claude-lines.ts";
import { type DrawnBurst, drawBurst, drawLimit } from "./draw-burst.ts";
import { callDirectory, type Episode } from "./episode.ts";
import { ABLE } from "./model/able-provider.ts";
import type { BurstCall, BurstMoment, BurstStep } from "./model/burst.ts";
import { createModelClient } from "./model/model-client.ts";
import type { ProgramScript } from "./program-step.ts";
import { startedIn } from "./run-call.ts";
import { soakProvider } from "./soak-providers.ts";

const PROVIDERS = ["a", "b", "c"] as const;
const DEADLINE_MS = 30_000;
/** A second, less the tolerance of a clock. */
const SHORTEST_GAP_MS = 990;
const HOLDING: ProgramScript = [
  [
    INIT,
    ...message("m0", ["holding"]),
    { until: "release" },
    ...message("m1", ["done"]),
    result({ result: "done" }, { tokens: 100 }),
  ],
];

/** One observed run of a burst. */
class BurstRun {
  readonly events: RunEvent[] = [];
  readonly stream: RunStream;
  readonly over: Promise<RunResult>;
  result: RunResult | undefined;

  constructor(stream: RunStream) {
    this.stream = stream;
    this.over = this.read();
  }

  get hasPlace(): boolean {
    return this.events.some((event) => event.type === "text-delta");
  }

  get waits(): readonly Extract<RunEvent, { type: "queue-wait" }>[] {
    return this.events.filter((event) => event.type === "queue-wait");
  }

  private async read(): Promise<RunResult> {
    for await (const event of this.stream) this.events.push(event);
    this.result = await this.stream.outcome();
    return this.result;
  }
}

/** Bursts of runs on a client with few places: the runs that start, wait and are refused must be those that the model predicts. */
export async function runBurstEpisode(episode: Episode): Promise<void> {
  const { random, place, tally, firstCall, calls, number } = episode;
  for (let made = 0; made < calls; ) {
    const count = Math.min(calls - made, wholeBetween(random, 3, 9));
    const limit = drawLimit(random);
    const model = createModelClient({ providers: { a: ABLE, b: ABLE, c: ABLE }, now: 0, policies: { limit } });
    const burst = drawBurst(random, model, count);
    const providers = PROVIDERS.map((id) => soakProvider(id, ABLE, { obstacles: new Map() }, place.broken));
    const client = createClient({ providers, env: place.env(`state-${number}`), policies: { limit } });
    const name = `burst-${firstCall + made}`;
    const { runs, wrong } = await playBurst(episode, client, burst, name);
    await client.close();
    for (const [id, run] of runs) {
      tally.note((await run.over).failure?.code ?? "answer", startedIn(join(callDirectory(episode, name), id)));
    }
    rmSync(callDirectory(episode, name), { recursive: true, force: true });
    tally.judge(firstCall + made, wrong, () => ({ limit, calls: burst.calls, steps: burst.steps }));
    made += count;
  }
}

async function playBurst(
  episode: Episode,
  client: Client,
  { calls, steps, prediction }: DrawnBurst,
  name: string,
): Promise<{ readonly runs: ReadonlyMap<string, BurstRun>; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  const runs = new Map<string, BurstRun>();
  const directoryOf = (id: string): string => join(callDirectory(episode, name), id);
  for (const call of calls) runs.set(call.id, startRun(episode, client, call, directoryOf(call.id)));
  for (const [index, moment] of prediction.moments.entries()) {
    const step = steps[index - 1];
    if (step !== undefined) await takeStep(step, runs, directoryOf);
    wrong.push(...(await awaitMoment(moment, runs)).map((what) => `moment ${index}: ${what}`));
    if (wrong.length > 0) break;
  }
  for (const { id } of calls) writeFileSync(join(directoryOf(id), "release"), "");
  if (wrong.length > 0) await client.close();
  await Promise.all([...runs.values()].map((run) => run.over));
  return { runs, wrong: wrong.length > 0 ? wrong : compareBurst({ calls, steps, prediction }, runs, directoryOf) };
}

function startRun({ signal }: Episode, client: Client, call: BurstCall, directory: string): BurstRun {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${call.provider}.json`), JSON.stringify(HOLDING));
  const request = {
    prompt: `Hold ${call.id}.`,
    env: { SOAK_CALL: directory },
    ...(call.maxWaitMs !== undefined && { maxWaitMs: call.maxWaitMs }),
    ...(call.totalMs !== undefined && { timeouts: { totalMs: call.totalMs } }),
  };
  return new BurstRun(client.run(call.provider, request, { signal }));
}

async function takeStep(
  step: BurstStep,
  runs: ReadonlyMap<string, BurstRun>,
  directoryOf: (id: string) => string,
): Promise<void> {
  if ("passedMs" in step) return sleep(step.passedMs);
  if ("cancelled" in step) return runs.get(step.cancelled)?.stream.interrupt();
  writeFileSync(join(directoryOf(step.ended), "release"), "");
  await runs.get(step.ended)?.over;
}

/** Waits until the predicted events of this moment have come. */
async function awaitMoment({ started, refused }: BurstMoment, runs: ReadonlyMap<string, BurstRun>): Promise<readonly string[]> {
  const deadline = performance.now() + DEADLINE_MS;
  const missing = (): readonly string[] => [
    ...started.filter((id) => runs.get(id)?.hasPlace !== true).map((id) => `${id} is not started`),
    ...refused.filter(({ id }) => runs.get(id)?.result === undefined).map(({ id }) => `${id} is not refused`),
  ];
  while (missing().length > 0 && performance.now() < deadline) await sleep(10);
  return missing();
}

function compareBurst(
  { calls, prediction }: DrawnBurst,
  runs: ReadonlyMap<string, BurstRun>,
  directoryOf: (id: string) => string,
): readonly string[] {
  const refusals = new Map(prediction.moments.flatMap(({ refused }) => refused.map((refusal) => [refusal.id, refusal] as const)));
  return calls.flatMap(({ id, provider }) => {
    const run = runs.get(id);
    if (run === undefined) return [`${id} was not begun`];
    const refusal = refusals.get(id);
    const wrong = [...checkGrammar(run.events)];
    const end = run.result?.failure?.code ?? "answer";
    if (end !== (refusal?.code ?? "answer")) wrong.push(`ends with ${end} instead of ${refusal?.code ?? "answer"}`);
    const length = refusal?.queueLength;
    if (length !== undefined && !run.result?.failure?.message.includes(` ${length} `))
      wrong.push(`does not name the length ${length}`);
    wrong.push(...comparePositions(prediction.positions[id] ?? [], run));
    const started = startedIn(directoryOf(id))[provider] ?? 0;
    if (started !== (refusal === undefined ? 1 : 0)) wrong.push(`started ${started} processes`);
    return wrong.map((what) => `${id} ${what}`);
  });
}

/** The first position is reported at once; any of the later ones may be reported, in their order and at most one a second. */
function comparePositions(must: readonly number[], { waits }: BurstRun): readonly string[] {
  const reported = waits.map(({ position }) => position);
  const indexes = reported.map((position) => must.indexOf(position));
  const isInOrder = indexes.every((index, at) => (at === 0 ? index === 0 : index > (indexes[at - 1] ?? 0)));
  const isSlow = waits.every(({ atMs }, at) => at === 0 || atMs - (waits[at - 1]?.atMs ?? 0) >= SHORTEST_GAP_MS);
  return [
    ...(isInOrder && reported.length > 0 === must.length > 0
      ? []
      : [`reports positions ${reported.join(" ")} of ${must.join(" ")}`]),
    ...(isSlow ? [] : ["reports two positions within a second"]),
  ];
}
