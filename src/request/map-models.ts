import type { FallbackOptions } from "../spec/policy.ts";
import type { Target } from "../spec/request.ts";
import type { Targets } from "./parse-targets.ts";

/** The targets with each model replaced by its provider's name for it. */
export function mapModels(
  [first, ...others]: Targets,
  { models = {} }: FallbackOptions,
  idOf: (provider: string) => string,
): Targets {
  const map = (target: Target): Target => {
    const name = target.model ?? first.model;
    const known = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;
    const id = idOf(target.provider);
    const model = Object.entries(known ?? {}).find(([provider]) => idOf(provider) === id)?.[1] ?? target.model;
    return model === target.model || model === undefined ? target : { ...target, model };
  };
  return [map(first), ...others.map(map)];
}
