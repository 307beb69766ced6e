import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRequest } from "../../src/spec/request.ts";
import type { Random } from "../support/random.ts";
import { hasEnd, SILENCE_MS } from "./draw-soak-call.ts";
import type { ModelCall } from "./model/model-call.ts";
import type { ModelClient } from "./model/model-client.ts";
import type { DecidedPrediction } from "./model/prediction.ts";
import { stepsOf } from "./process-steps.ts";
import type { ProgramScript } from "./program-step.ts";
import type { Obstacle } from "./soak-providers.ts";

/** A call of the model with the data to make it a real one. */
export type CallToPrepare = {
  readonly client: ModelClient;
  readonly call: ModelCall;
  readonly prediction: DecidedPrediction;
  readonly directory: string;
  readonly name: string;
  readonly dawdleMs: number;
};

/** The text with which a provider answers in a call. */
export function answerOf(name: string, provider: string): string {
  return `Answer ${name} of ${provider}.`;
}

/** Writes the scripts of the processes of a call. */
export function writeScripts(random: Random, { client, call, prediction, directory, name, dawdleMs }: CallToPrepare): void {
  mkdirSync(directory, { recursive: true });
  const wantsObject = call.request.needs?.includes("output-schema") === true;
  for (const [provider, behaviours] of Object.entries(call.script)) {
    const script: ProgramScript = behaviours.map((behaviour, index) =>
      behaviour.at !== undefined
        ? []
        : stepsOf(behaviour, random, {
            text: answerOf(name, provider),
            reportsCost: client.providers[provider]?.traits.cost === true,
            wantsObject,
            isStopped: behaviour.end !== "budget-spent" && isStopped(prediction, provider, index),
            dawdleMs,
          }),
    );
    writeFileSync(join(directory, `${provider}.json`), JSON.stringify(script));
  }
}

/** The obstacles of the providers in a call. */
export function obstaclesOf(call: ModelCall): ReadonlyMap<string, Obstacle> {
  const entries = Object.entries(call.script).flatMap(([provider, [first]]) =>
    first?.at === undefined || first.end === "answer" ? [] : [[provider, { code: first.end, at: first.at }] as const],
  );
  return new Map(entries);
}

/** Whether the process of this number is the last one of a run that its budget ends, and no other behaves like it. */
function isStopped({ events, outcome, processes }: DecidedPrediction, provider: string, index: number): boolean {
  if (outcome.answer || outcome.failure.code !== "budget-spent") return false;
  const last = events.findLast((event) => event.type === "attempt-start");
  return last?.provider === provider && processes[provider] === index + 1;
}

const IMAGE = { mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const SCHEMA = { type: "object", properties: { whole: { type: "boolean" } }, required: ["whole"] } as const;

/** The request that a call makes. */
export function toRequest(call: ModelCall, name: string, directory: string): RunRequest {
  const { session, totalMs, maxWaitMs, budget, strict, auth, settings = [], needs = [] } = call.request;
  const timeouts = {
    ...(totalMs !== undefined && { totalMs }),
    ...(hasEnd(call, "first-event-timeout") && { firstEventMs: SILENCE_MS }),
    ...(hasEnd(call, "idle-timeout") && { idleMs: SILENCE_MS }),
  };
  return {
    prompt: `Say something about call ${name}.`,
    env: { SOAK_CALL: directory, ...(auth === "api-key" && { SOAK_API_KEY: "none" }) },
    ...(session !== undefined && { session }),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(budget !== undefined && { budget }),
    ...(strict !== undefined && { strict }),
    ...(auth !== undefined && { auth }),
    ...(settings.includes("effort") && { effort: "low" as const }),
    ...(settings.includes("maxTurns") && { maxTurns: 3 }),
    ...(settings.includes("maxOutputTokens") && { maxOutputTokens: 1000 }),
    ...(needs.includes("images") && { images: [IMAGE] }),
    ...(needs.includes("mcp-stdio") && { mcpServers: { none: { command: "true" } } }),
    ...(needs.includes("output-schema") && { outputSchema: SCHEMA }),
  };
}
