import type { RunRequest } from "../spec/request.ts";

/** Settings of other models that only tune the answer, and that CLIs do not have, in the spellings of the APIs that have them. */
const SAMPLING: ReadonlySet<string> = new Set([
  ...["temperature", "topP", "top_p", "topK", "top_k", "seed", "n"],
  ...["frequencyPenalty", "frequency_penalty", "presencePenalty", "presence_penalty", "repetitionPenalty"],
  ...["logprobs", "topLogprobs", "top_logprobs", "logitBias", "logit_bias"],
]);

export function isSampling(name: string): boolean {
  return SAMPLING.has(name);
}

export function findSampling(options: object): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (isSampling(name) && value !== undefined ? [name] : []));
}

export type EffortName = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** The efforts of the APIs of other libraries and vendors, and the nearest one that the CLIs have. */
export const EFFORTS: Readonly<Record<EffortName, NonNullable<RunRequest["effort"]>>> = {
  none: "low",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "max",
  max: "max",
};

export function isEffortName(name: string): name is EffortName {
  return Object.hasOwn(EFFORTS, name);
}
