import type { FallbackOptions } from "../../../src/spec/client-options.ts";
import type { ModelCall } from "./model-call.ts";

/** The targets with the model that each provider gets. */
export function nameModels(
  targets: ModelCall["targets"],
  models: NonNullable<FallbackOptions["models"]>,
): readonly ModelCall["targets"][number][] {
  const firstName = targets[0]?.model;
  return targets.map((target) => {
    const model = nameAt(models, target.model ?? firstName, target.provider);
    return model === undefined ? target : { ...target, model };
  });
}

function nameAt(models: NonNullable<FallbackOptions["models"]>, name: string | undefined, provider: string): string | undefined {
  if (name === undefined || !Object.hasOwn(models, name)) return undefined;
  const names = models[name] ?? {};
  return Object.hasOwn(names, provider) ? names[provider] : undefined;
}
