import { happens, type Random } from "../support/random.ts";
import { type DrawnCall, drawCall } from "./model/draw-call.ts";
import type { Behaviour, ModelCall, RequestFacts } from "./model/model-call.ts";
import type { ModelClient } from "./model/model-client.ts";
import { predictRun } from "./model/predict-run.ts";
import { isUndecided } from "./model/prediction.ts";

/** The idle timeout of a script with a silent process; all other processes print something before. */
export const SILENCE_MS = 3000;
/** The total timeout of a run whose process hangs. */
const HANG_MS = 2000;
/** No drawn call waits longer. */
const LONGEST_WAIT_MS = 7000;

/** Draws a call that real processes can play and whose outcome docs/policies.md decides. */
export function drawSoakCall(random: Random, client: ModelClient, now: number): DrawnCall {
  for (let draw = 0; draw < 1000; draw += 1) {
    const { waitMs, call: drawn } = drawCall(random, client, now);
    const call = toPlayable(random, client, drawn);
    if (call === undefined) continue;
    const prediction = predictRun(client, call, now + waitMs);
    if (isUndecided(prediction) || prediction.elapsedMs.min > LONGEST_WAIT_MS) continue;
    return { waitMs, call, prediction };
  }
  throw new RangeError("No call of this client can be played.");
}

/** Whether some process of a call ends like this. */
export function hasEnd({ script }: ModelCall, end: Behaviour["end"]): boolean {
  return Object.values(script).some((behaviours) => behaviours.some((behaviour) => behaviour.end === end));
}

function toPlayable(random: Random, client: ModelClient, call: ModelCall): ModelCall | undefined {
  // Two clocks of the same length would race, and waiting takes time.
  if (hasEnd(call, "first-event-timeout") && hasEnd(call, "idle-timeout")) return undefined;
  const waits = ["first-event-timeout", "idle-timeout", "total-timeout"] as const;
  if (waits.some((end) => hasEnd(call, end)) && happens(random, 0.5)) return undefined;
  const request = withClock(random, call, withPlayableNeeds(client, call));
  const wantsObject = request.needs?.includes("output-schema") === true;
  const { cancelAtRetryOf, ...rest } = call;
  const script = Object.entries(call.script).map(([provider, behaviours]) => [
    provider,
    behaviours.map((behaviour) => playableBehaviour(behaviour, wantsObject)),
  ]);
  return {
    ...rest,
    request,
    script: Object.fromEntries(script),
    // A caller that reads only the result gets no retry events.
    ...(cancelAtRetryOf !== undefined && call.reads === "events" && { cancelAtRetryOf }),
  };
}

/** A schema is never refused: without an option of the CLI it is put into the prompt. A soak does not test that. */
function withPlayableNeeds({ providers }: ModelClient, { targets, request }: ModelCall): RequestFacts {
  const isNative = targets.every(({ provider }) => providers[provider]?.options.includes("output-schema"));
  if (request.needs === undefined || isNative) return request;
  return { ...request, needs: request.needs.filter((need) => need !== "output-schema") };
}

/** A process that hangs is ended by the timeout of its run or of its budget. */
function withClock(random: Random, call: ModelCall, request: RequestFacts): RequestFacts {
  if (!hasEnd(call, "total-timeout")) return request;
  if (happens(random, 0.7)) return { ...request, totalMs: HANG_MS };
  const { totalMs: _, ...rest } = request;
  return { ...rest, budget: { ...rest.budget, wallMs: HANG_MS } };
}

function playableBehaviour(behaviour: Behaviour, wantsObject: boolean): Behaviour {
  const { tokens, usd, reportedEarly, resetAt, ...rest } = behaviour;
  const { end } = behaviour;
  const isSilentAtOnce = end === "first-event-timeout" && behaviour.at === undefined;
  const isUntold = isSilentAtOnce || (end === "total-timeout" && reportedEarly !== true);
  const isHidden = isSilentAtOnce || (wantsObject && behaviour.output === "object");
  return {
    ...rest,
    ...(isHidden && { output: "nothing" }),
    ...(!isUntold && tokens !== undefined && { tokens }),
    ...(!isUntold && usd !== undefined && { usd }),
    ...(!isUntold && reportedEarly !== undefined && { reportedEarly }),
    // Error texts state times in seconds.
    ...(resetAt !== undefined && { resetAt: Math.ceil(resetAt / 1000) * 1000 }),
    ...((end === "first-event-timeout" || end === "idle-timeout") && { durationMs: SILENCE_MS }),
  };
}
