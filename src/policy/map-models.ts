import type { FallbackOptions } from "../spec/policy.ts";
import type { Target } from "../spec/request.ts";

/** The targets with the names that their providers have for the models asked for. */
export function mapModels(
  targets: readonly Target[],
  { models = {} }: FallbackOptions,
  idOf: (provider: string) => string,
): readonly Target[] {
  const asked = targets[0]?.model;
  return targets.map((target) => {
    const name = target.model ?? asked;
    const known = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;
    const id = idOf(target.provider);
    const model = Object.entries(known ?? {}).find(([provider]) => idOf(provider) === id)?.[1] ?? target.model;
    return model === target.model || model === undefined ? target : { ...target, model };
  });
}
