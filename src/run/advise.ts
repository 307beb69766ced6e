import type { RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import { didYouMean } from "../spec/nearest-name.ts";
import type { Provider, Surroundings } from "../spec/provider.ts";
import { readVariable } from "../spec/read-variable.ts";
import type { PromptRequest, Target } from "../spec/request.ts";

/** What an attempt was made with. */
export type Attempted = {
  readonly provider: Provider;
  readonly target: Target;
  readonly request: Pick<PromptRequest, "env" | "auth">;
  readonly env: Surroundings;
};

/** The end of an attempt with the advice that needs more than the CLI's words: the API key that was used, the model that was meant. */
export function withAdvice(end: RunEnd, attempted: Attempted): RunEnd {
  const { failure } = end;
  if (failure?.code === "not-logged-in") return { ...end, failure: blameKey(failure, attempted) };
  if (failure?.code === "model-unknown") return { ...end, failure: suggestModel(failure, attempted) };
  return end;
}

/** A login does not help while the CLI uses a key of the environment, so the advice names the variable. */
function blameKey(failure: Failure, { provider, request, env }: Attempted): Failure {
  const { label, login, loginStatus = {} } = provider;
  // COPILOT_PROVIDER_BASE_URL also comes before a login, but it is an address and no key.
  const first = (loginStatus === "not-needed" ? [] : (loginStatus.keysFirst ?? [])).filter((name) => !name.endsWith("_URL"));
  const known = request.auth === "subscription" ? [] : [...new Set([...provider.env.apiKeys, ...first])];
  const surroundings = { ...env, ...request.env };
  const keys = known.filter((name) => Boolean(readVariable(surroundings, name)) && !provider.env.strip.includes(name));
  if (keys.length === 0) return failure;
  const names = keys.join(" and ");
  const isFirst = login !== undefined && keys.every((name) => first.includes(name));
  const instead =
    login === undefined ? "." : isFirst ? `, or unset it: ${label} uses it before your login.` : ", or unset it and log in.";
  const { fixCommand: _, fixFrom: __, ...rest } = failure;
  const fix = isFirst ? { fixCommand: `unset ${keys.join(" ")}` } : {};
  return { ...rest, hint: `The environment has ${names}. Correct that key${instead}`, ...fix };
}

function suggestModel(failure: Failure, { provider, target }: Attempted): Failure {
  const suggestion = target.model === undefined ? "" : didYouMean(target.model, provider.models);
  return suggestion === "" ? failure : { ...failure, hint: `${suggestion} ${failure.hint}` };
}
