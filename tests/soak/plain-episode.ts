import { rmSync } from "node:fs";
import { type Client, createClient } from "../../src/client.ts";
import type { SpentQuota } from "../../src/spec/client-options.ts";
import { happens, pick, type Random } from "../support/random.ts";
import { checkGrammar } from "../support/runs/check-grammar.ts";
import { compareCall } from "./compare-call.ts";
import { drawSoakCall } from "./draw-soak-call.ts";
import { type DrawnClient, drawSoakClient } from "./draw-soak-client.ts";
import { callDirectory, type Episode, JumpingClock, overcomeIn, wholeSecond } from "./episode.ts";
import type { DrawnCall } from "./model/draw-call.ts";
import { acceptPrediction } from "./model/predict-run.ts";
import { obstaclesOf, toRequest, writeScripts } from "./prepare-call.ts";
import { comparePresumed, compareQuotas, readQuotaFiles } from "./quota-files.ts";
import { type CallToRun, runCall, type SeenCall } from "./run-call.ts";
import { type Stage, soakProvider } from "./soak-providers.ts";

/** How much longer than its script a process may take. */
export const SLACK_MS = 2000;

/** The files of an episode: shared with another episode in the same directory, or its own. */
export type PlainKind = {
  readonly state: string;
  readonly providers: readonly [string, ...string[]];
  readonly isShared: boolean;
};

type Member = DrawnClient & { readonly real: Client };

/** Two clients with the same quota memory make calls in turn; each call must match its prediction. */
export async function runPlainEpisode(episode: Episode, kind: PlainKind): Promise<void> {
  const { random, tally, firstCall, calls } = episode;
  const clock = new JumpingClock(wholeSecond());
  const stage: Stage = { obstacles: new Map() };
  const quotaFiles = new Map<string, number>();
  const surroundings = { now: clock.now(), providers: kind.providers, quotaFiles, slackMs: SLACK_MS };
  const members = [1, 2].map((): Member => {
    const drawn = drawSoakClient(random, surroundings);
    const providers = Object.entries(drawn.model.providers).map(([id, traits]) =>
      soakProvider(id, traits, stage, episode.place.broken),
    );
    const env = episode.place.env(kind.state);
    return { ...drawn, real: createClient({ providers, env, policies: drawn.policies, now: clock.now }) };
  });
  let now = clock.now();
  for (let index = 0; index < calls; index += 1) {
    const member = pick(random, [members[0] ?? never(), members[1] ?? never()]);
    const drawn = drawSoakCall(random, member.model, now);
    now += drawn.waitMs;
    const name = String(firstCall + index);
    const directory = callDirectory(episode, name);
    const { call, prediction } = drawn;
    writeScripts(random, { client: member.model, call, prediction, directory, name, dawdleMs: 0 });
    stage.obstacles = obstaclesOf(call);
    clock.jumpTo(now);
    const seen = await runCall(toCall(episode, random, member, drawn, name));
    rmSync(directory, { recursive: true, force: true });
    now += Math.ceil(prediction.elapsedMs.max) + 1;
    const wrong = [...checkGrammar(seen.events), ...compareCall(name, call, prediction, seen)];
    const quotas = quotasOf(episode, kind, member);
    wrong.push(...compareQuotas(prediction, quotas, now), ...(kind.isShared ? [] : comparePresumed(prediction, quotas, now)));
    tally.note(seen.result.failure?.code ?? "answer", seen.processes, overcomeIn(seen.events));
    // The state of the clients no longer matches that of the model.
    if (!tally.judge(firstCall + index, wrong, () => aboutCall(member, drawn, seen))) {
      tally.skipped += calls - index - 1;
      break;
    }
    acceptPrediction(member.model, prediction);
  }
  await Promise.all(members.map(({ real }) => real.close()));
}

function never(): never {
  throw new RangeError("An episode has two clients.");
}

function toCall(episode: Episode, random: Random, { real }: Member, { call }: DrawnCall, name: string): CallToRun {
  const directory = callDirectory(episode, name);
  const cancelling = new AbortController();
  const isBySignal = call.cancelAtRetryOf !== undefined && happens(random, 0.5);
  return {
    client: real,
    targets: call.targets,
    request: toRequest(call, name, directory),
    context: {
      signal: isBySignal ? cancelling.signal : episode.signal,
      ...(call.commit !== undefined && { commit: call.commit }),
    },
    reads: call.reads,
    directory,
    onEvent: (event, stream) => {
      if (event.type !== "retry" || event.attempt !== call.cancelAtRetryOf) return false;
      if (isBySignal) cancelling.abort();
      else stream.interrupt();
      return false;
    },
  };
}

/** In a shared directory the clock of another episode may be far ahead, and listing removes expired files. */
function quotasOf({ place }: Episode, kind: PlainKind, { real }: Member): readonly SpentQuota[] {
  if (!kind.isShared) return real.spentQuotas();
  return readQuotaFiles(place.quotaDirectory(kind.state)).filter(({ provider }) => kind.providers.includes(provider));
}

function aboutCall({ policies }: Member, { call, prediction }: DrawnCall, { result, elapsedMs }: SeenCall): object {
  const { outcome, elapsedMs: predictedMs } = prediction;
  const tried = result.attempts?.map((attempt) => attempt.failure?.message);
  return { call, policies, outcome, failure: result.failure, tried, elapsedMs: Math.round(elapsedMs), predictedMs };
}
