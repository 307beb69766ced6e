import type { Failure } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Target, Targets } from "../spec/request.ts";

/** What reads the names of a door: its client. */
type NameReader = { resolve(name: string | Targets): { readonly targets: Targets } | { readonly failure: Failure } };

/** The targets of a name, with the model that was named beside it for the first; the name itself if it means none. */
export function withModel(client: NameReader, name: string | Targets, model: string | undefined): string | Targets {
  const found = client.resolve(name);
  if (model === undefined || "failure" in found) return name;
  const [first, ...others] = found.targets;
  if (first.model !== undefined)
    throw new TypeError(`The model ${model} and the model ${first.model} of the provider contradict each other.`);
  return [{ ...first, model }, ...others];
}

/** What answers call the model until a CLI has answered: the first target, or the name itself if it means none. */
export function firstTarget(client: NameReader, name: string | Targets, model?: string): Target {
  const found = client.resolve(name);
  if ("failure" in found) return typeof name === "string" ? defined({ provider: name, model }) : name[0];
  return { ...found.targets[0], ...defined({ model }) };
}
