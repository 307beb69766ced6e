import type { PolicyOptions } from "../../../src/spec/client-options.ts";
import { ABLE } from "./able-provider.ts";
import type { ModelCall } from "./model-call.ts";
import { createModelClient, type ModelClient, type QuotaFiles } from "./model-client.ts";
import { acceptPrediction, predictRun } from "./predict-run.ts";
import { type DecidedPrediction, isUndecided } from "./prediction.ts";

/** A client of the providers a, b and c, which support everything, created at time 0. */
export function createAbleClient(policies: PolicyOptions | false = {}, quotaFiles: QuotaFiles = new Map()): ModelClient {
  return createModelClient({ policies, providers: { a: ABLE, b: ABLE, c: ABLE }, quotaFiles, now: 0 });
}

/** The prediction for a call whose result alone is read; the client then has the state after it. */
export function runDecided(client: ModelClient, call: Partial<ModelCall>, now = 0): DecidedPrediction {
  const prediction = predictRun(client, { targets: [{ provider: "a" }], request: {}, reads: "result", script: {}, ...call }, now);
  if (isUndecided(prediction)) throw new Error(`undecided: ${prediction.undecided}`);
  acceptPrediction(client, prediction);
  return prediction;
}

/** The code with which a run fails; `answer` when it does not. */
export function endOf({ outcome }: DecidedPrediction): string {
  return outcome.answer ? "answer" : outcome.failure.code;
}

/** Each event in a short form. */
export function shortEvents({ events }: DecidedPrediction): readonly string[] {
  return events.map((event) => {
    if (event.type === "attempt-start")
      return `attempt ${event.attempt} ${[event.provider, event.model].filter(Boolean).join("/")}`;
    if (event.type === "retry") return `retry of ${event.attempt} after ${event.code}`;
    if (event.type === "fallback") return `${event.from} to ${event.to} after ${event.code}`;
    return event.type === "warning" ? event.code : event.type;
  });
}
