import { getEventListeners } from "node:events";
import { rmSync } from "node:fs";
import { type Client, createClient } from "../../src/client.ts";
import { pick, type Random, wholeBetween } from "../support/random.ts";
import { checkGrammar } from "../support/runs/check-grammar.ts";
import { compareCall, predictedWord, wordOf } from "./compare-call.ts";
import { drawSoakCall } from "./draw-soak-call.ts";
import { type DrawnClient, drawSoakClient } from "./draw-soak-client.ts";
import { callDirectory, type Episode, overcomeIn, wholeSecond } from "./episode.ts";
import type { DrawnCall } from "./model/draw-call.ts";
import type { ModelCall } from "./model/model-call.ts";
import type { ModelClient } from "./model/model-client.ts";
import type { DecidedPrediction } from "./model/prediction.ts";
import { SLACK_MS } from "./plain-episode.ts";
import { obstaclesOf, toRequest, writeScripts } from "./prepare-call.ts";
import { runCall, type SeenCall } from "./run-call.ts";
import { type Stage, soakProvider } from "./soak-providers.ts";

const PROVIDERS = ["a", "b", "c"] as const;
/** Long enough to hit the time before, between and during processes. */
const LATEST_MS = 500;
const SOON_MS = 20_000;

/** How a call is cancelled. */
type Way = "signal" | "interrupt" | "leave" | "close";

/** Calls that are cancelled at some moment: each ends once, as cancelled, or as predicted if it ended first. */
export async function runCancelEpisode(episode: Episode): Promise<void> {
  const { random, tally, firstCall, calls } = episode;
  const stage: Stage = { obstacles: new Map() };
  let member = openMember(episode, stage);
  for (let index = 0; index < calls; index += 1) {
    const name = String(firstCall + index);
    const { call: drawn, prediction } = drawUncancelled(random, member.model);
    const way = pick<Way>(random, ["signal", "interrupt", "leave", "close"]);
    const call = way === "leave" ? { ...drawn, reads: "events" as const, commit: drawn.commit ?? commitOf(drawn) } : drawn;
    const directory = callDirectory(episode, name);
    writeScripts(random, { client: member.model, call, prediction, directory, name, dawdleMs: 100 });
    stage.obstacles = obstaclesOf(call);
    const { seen, wrong, cancelledAt } = await cancelCall(episode, member.real, { call, prediction, way, name, directory });
    rmSync(directory, { recursive: true, force: true });
    tally.note(seen.result.failure?.code ?? "answer", seen.processes, overcomeIn(seen.events));
    tally.judge(firstCall + index, wrong, () => ({ way, cancelledAt, call, failure: seen.result.failure }));
    if (way !== "close") continue;
    await member.real.close();
    const late = await member.real.run("a", { prompt: "Too late." }).outcome();
    tally.judge(firstCall + index, late.failure?.code === "interrupted" ? [] : ["a closed client runs"], () => ({ late }));
    member = openMember(episode, stage);
  }
  await member.real.close();
}

/** The defaults of a drawn call. */
function commitOf({ reads }: ModelCall): "first-event" | "end" {
  return reads === "events" ? "first-event" : "end";
}

/** Without memory of earlier calls, because the state after a cancelled call is undecided. */
function openMember({ random, place, number }: Episode, stage: Stage): DrawnClient & { readonly real: Client } {
  const surroundings = { now: wholeSecond(), providers: PROVIDERS, slackMs: SLACK_MS } as const;
  const drawn = drawSoakClient(random, surroundings, { cooldown: false, budget: {} });
  const providers = Object.entries(drawn.model.providers).map(([id, traits]) => soakProvider(id, traits, stage, place.broken));
  return { ...drawn, real: createClient({ providers, env: place.env(`state-${number}`), policies: drawn.policies }) };
}

type CallToCancel = {
  readonly call: ModelCall;
  readonly prediction: DecidedPrediction;
  readonly way: Way;
  readonly name: string;
  readonly directory: string;
};

async function cancelCall(
  episode: Episode,
  client: Client,
  { call, prediction, way, name, directory }: CallToCancel,
): Promise<{ readonly seen: SeenCall; readonly wrong: readonly string[]; readonly cancelledAt: number }> {
  const cancelling = new AbortController();
  const afterMs = wholeBetween(episode.random, 0, LATEST_MS);
  const leavesAt = wholeBetween(episode.random, 1, 6);
  let timer: NodeJS.Timeout | undefined;
  let cancelledAt = Number.NaN;
  let events = 0;
  const seen = await runCall({
    client,
    targets: call.targets,
    request: toRequest(call, name, directory),
    context: {
      signal: way === "signal" ? cancelling.signal : episode.signal,
      ...(call.commit !== undefined && { commit: call.commit }),
    },
    reads: call.reads,
    directory,
    onStart: (stream) => {
      const cancel = (): void => {
        cancelledAt = performance.now();
        if (way === "signal") cancelling.abort();
        if (way === "interrupt") stream.interrupt();
        if (way === "close") void client.close();
      };
      timer = way === "leave" ? undefined : setTimeout(cancel, afterMs);
    },
    onEvent: () => {
      events += 1;
      if (way !== "leave" || events !== leavesAt) return false;
      cancelledAt = performance.now();
      return true;
    },
  });
  clearTimeout(timer);
  const lateMs = performance.now() - cancelledAt;
  const wrong = [...judgeCancelled({ call, prediction, way, name, directory }, seen)];
  if (lateMs > SOON_MS) wrong.push(`it ended ${Math.round(lateMs)} ms after it was cancelled`);
  if (getEventListeners(cancelling.signal, "abort").length > 0) wrong.push("listeners are left on its signal");
  return { seen, wrong, cancelledAt: afterMs };
}

/** A call that ended first did what was predicted; any other did a beginning of that. */
function judgeCancelled({ call, prediction, way, name }: CallToCancel, seen: SeenCall): readonly string[] {
  const grammar = way === "leave" && seen.events.at(-1)?.type !== "run-end" ? [] : checkGrammar(seen.events);
  const must = prediction.events.map(predictedWord);
  if (seen.result.failure?.code !== "interrupted") {
    const isWhole = seen.events.at(-1)?.type === "run-end";
    return [...grammar, ...(isWhole ? compareCall(name, call, prediction, seen) : [])];
  }
  const were = seen.events.flatMap((event) => wordOf(event) ?? []);
  const wrong = were.every((word, index) => must[index] === word)
    ? []
    : [`events: predicted a beginning of [${must.join("; ")}], seen [${were.join("; ")}]`];
  if (seen.result.finish !== "cancelled") wrong.push(`interrupted finishes with ${seen.result.finish}`);
  for (const [provider, started] of Object.entries(seen.processes)) {
    if (started > (prediction.processes[provider] ?? 0)) wrong.push(`${started} processes of ${provider} were started`);
  }
  return [...grammar, ...wrong];
}

/** A call whose script does not cancel it. */
function drawUncancelled(random: Random, model: ModelClient): DrawnCall {
  for (;;) {
    const drawn = drawSoakCall(random, model, wholeSecond());
    if (drawn.call.cancelAtRetryOf === undefined) return drawn;
  }
}
