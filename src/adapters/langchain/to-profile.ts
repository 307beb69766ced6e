import type { ModelProfile } from "@langchain/core/language_models/profile";
import { capabilitiesOf } from "../../spec/provider/capabilities.ts";
import type { Provider } from "../../spec/provider/provider.ts";

/** The profile of a provider's model; an unknown provider has only what Coxswain does itself. */
export function toProfile(provider: Provider | undefined, model: string | undefined): ModelProfile {
  const capabilities = provider && capabilitiesOf(provider);
  const maxInputTokens = provider && inputTokensOf(provider, model ?? provider.defaultModel);
  return {
    toolCalling: true,
    toolChoice: true,
    structuredOutput: true,
    imageInputs: capabilities?.images === true,
    imageToolMessage: capabilities?.images === true,
    imageUrlInputs: false,
    reasoningOutput: capabilities?.reasoning === true,
    ...(maxInputTokens !== undefined && { maxInputTokens }),
  };
}

/** By the longest known name within that of the model; without a model the least of all, because the CLI chooses one of them. */
function inputTokensOf({ maxInputTokens = {} }: Provider, model: string | undefined): number | undefined {
  const known = Object.entries(maxInputTokens);
  if (model === undefined) return known.length === 0 ? undefined : Math.min(...known.map(([, tokens]) => tokens));
  const named = known.filter(([name]) => model.includes(name)).toSorted(([left], [right]) => right.length - left.length);
  return named[0]?.[1];
}
