import type { Capabilities } from "../../../src/spec/provider/cli-data.ts";
import type { SessionChoice } from "../../../src/spec/request.ts";
import { happens, pick, type Random, some, wholeBetween } from "../../support/random.ts";
import { drawBudget, MAPPED_MODELS } from "./draw-client.ts";
import { drawScript } from "./draw-script.ts";
import type { ModelCall, RequestFacts } from "./model-call.ts";
import type { ModelClient } from "./model-client.ts";
import { predictRun } from "./predict-run.ts";
import { type DecidedPrediction, isUndecided } from "./prediction.ts";

/** A call to make after this time has passed, and its prediction. */
export type DrawnCall = { readonly waitMs: number; readonly call: ModelCall; readonly prediction: DecidedPrediction };

const SESSION = "6f2c1c0e-3b1f-4c55-9d0a-0c6a3f1b7e21";

/** Draws a legal call whose outcome docs/policies.md decides; does not change the client. */
export function drawCall(random: Random, client: ModelClient, now: number): DrawnCall {
  for (let draw = 0; draw < 1000; draw += 1) {
    const waitMs = drawWait(random, client, now);
    const call = drawAnyCall(random, client, now + waitMs);
    const prediction = predictRun(client, call, now + waitMs);
    if (!isUndecided(prediction)) return { waitMs, call, prediction };
  }
  throw new RangeError("No call of this client has a decided outcome; its slack is too large for its times.");
}

function drawWait(random: Random, client: ModelClient, now: number): number {
  const { memory, quotaFiles, slackMs } = client;
  const rests = [...memory.breakers.values()].flatMap(({ rest }) => (rest === undefined ? [] : [rest.until.max]));
  const ends = [...rests, ...[...memory.quotas.values()].map(({ max }) => max), ...quotaFiles.values()];
  const [next, ...others] = ends.filter((end) => end > now).map((end) => end - now + slackMs);
  return next === undefined || happens(random, 0.6) ? 0 : pick(random, [next, ...others]);
}

function drawAnyCall(random: Random, client: ModelClient, now: number): ModelCall {
  const targets = drawTargets(random, client);
  const request = drawRequest(random, client);
  const surroundings = { now, hasTotalMs: request.totalMs !== undefined };
  return {
    targets,
    request,
    reads: pick(random, ["events", "result"]),
    ...(happens(random, 0.3) && { commit: pick(random, ["first-event", "end"]) }),
    script: Object.fromEntries(targets.map(({ provider }) => [provider, drawScript(random, surroundings)])),
    ...(happens(random, 0.05) && { cancelAtRetryOf: wholeBetween(random, 1, 3) }),
  };
}

function drawTargets(random: Random, client: ModelClient): ModelCall["targets"] {
  const [first, ...others] = Object.keys(client.providers);
  if (first === undefined) throw new RangeError("A client has at least one provider.");
  return Array.from({ length: wholeBetween(random, 1, 4) }, () => ({
    provider: pick(random, [first, ...others]),
    ...(happens(random, 0.4) && { model: pick(random, [...MAPPED_MODELS, "as-given"]) }),
    ...(happens(random, 0.15) && { profile: pick(random, ["work", "home"]) }),
    ...(happens(random, 0.15) && { requires: drawRequires(random) }),
  }));
}

function drawRequires(random: Random): Partial<Capabilities> {
  return pick<Partial<Capabilities>>(random, [
    { images: true },
    { structuredOutput: "native" },
    { mcp: ["stdio"] },
    { reasoning: true, cost: true },
    {},
  ]);
}

function drawRequest(random: Random, client: ModelClient): RequestFacts {
  const plentyMs = 60_000 + 20 * client.slackMs;
  return {
    ...(happens(random, 0.3) && { session: drawSession(random) }),
    ...(happens(random, 0.3) && { totalMs: plentyMs }),
    ...(happens(random, 0.2) && { maxWaitMs: pick(random, [0, 12, 1000]) }),
    ...(happens(random, 0.2) && { budget: drawBudget(random, 6) }),
    ...(happens(random, 0.2) && { strict: true }),
    ...(happens(random, 0.15) && { auth: "api-key" as const }),
    ...(happens(random, 0.3) && { settings: some(random, ["effort", "maxTurns", "maxOutputTokens"] as const, 0.5) }),
    ...(happens(random, 0.15) && { needs: some(random, ["images", "output-schema", "mcp-stdio"] as const, 0.5) }),
  };
}

function drawSession(random: Random): SessionChoice {
  return pick<SessionChoice>(random, [
    { id: SESSION },
    { id: SESSION },
    { keep: true },
    { resume: SESSION },
    { fork: SESSION },
    { fork: SESSION, id: SESSION },
  ]);
}
