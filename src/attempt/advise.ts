import type { Failure } from "../spec/failure/failure.ts";
import type { Provider, Surroundings } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { didYouMean } from "../spec/text/nearest-name.ts";
import { readVariable } from "../spec/text/read-variable.ts";
import type { RunEnd } from "../spec/wire/events.ts";

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
function blameKey(failure: Failure, attempted: Attempted): Failure {
  const { label, login, loginStatus = {} } = attempted.provider;
  const keys = usedKeys(attempted);
  if (keys.length === 0) return failure;
  const first = loginStatus === "not-needed" ? [] : (loginStatus.keysFirst ?? []);
  const isFirst = login !== undefined && keys.every((name) => first.includes(name));
  const instead = isFirst
    ? `, or unset it: ${label} uses it before your login.`
    : login === undefined
      ? "."
      : ", or unset it and log in.";
  const { fixCommand: _, fixFrom: __, ...rest } = failure;
  const hint = `The environment has ${keys.join(" and ")}. Correct that key${instead}`;
  return { ...rest, hint, ...(isFirst && { fixCommand: `unset ${keys.join(" ")}` }) };
}

/** The variables with the keys that the CLI used: those that are its login, or the API keys for an address that is its login. */
function usedKeys({ provider, request, env }: Attempted): readonly string[] {
  const { loginStatus = {} } = provider;
  const { apiKeys, strip } = provider.env;
  if (loginStatus === "not-needed" || request.auth === "subscription") return [];
  const surroundings = { ...env, ...request.env };
  const isSet = (name: string): boolean => Boolean(readVariable(surroundings, name)) && !strip.includes(name);
  const login = (loginStatus.env ?? apiKeys).filter(isSet);
  const keys = login.filter((name) => !name.endsWith("_URL"));
  return login.length > 0 && keys.length === 0 ? apiKeys.filter(isSet) : keys;
}

function suggestModel(failure: Failure, { provider, target }: Attempted): Failure {
  const suggestion = target.model === undefined ? "" : didYouMean(target.model, provider.models);
  return suggestion === "" ? failure : { ...failure, hint: `${suggestion} ${failure.hint}` };
}
