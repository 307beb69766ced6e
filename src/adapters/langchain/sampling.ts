import type { RunWarning } from "../../spec/result.ts";

/** Settings of other chat models that only tune the answer, and that neither CLIs nor adapters have, in the spellings of LangChain's packages. */
const SAMPLING: ReadonlySet<string> = new Set([
  ...["temperature", "topP", "top_p", "topK", "top_k", "seed", "n"],
  ...["frequencyPenalty", "frequency_penalty", "presencePenalty", "presence_penalty", "repetitionPenalty"],
  ...["logprobs", "topLogprobs", "top_logprobs", "logitBias", "logit_bias"],
]);

/** True for the name of a setting that tunes the sampling of tokens. */
export function isSampling(name: string): boolean {
  return SAMPLING.has(name);
}

/** A warning for each sampling setting among these options. */
export function findSampling(options: object): readonly RunWarning[] {
  return Object.entries(options)
    .filter(([name, value]) => isSampling(name) && value !== undefined)
    .map(([name]) => ({ code: "setting-ignored", message: `There is no setting ${name}; it was left out.` }));
}
