import type { Client } from "../../client.ts";
import { isJsonObject, type JsonValue } from "../../spec/json.ts";
import type { RunRequest, Target } from "../../spec/request.ts";

/** The fields of a request that name no directory, program, login or variable of the environment. */
const FIELDS: Partial<Readonly<Record<keyof RunRequest, true>>> = {
  prompt: true,
  images: true,
  system: true,
  systemMode: true,
  outputSchema: true,
  effort: true,
  timeouts: true,
  budget: true,
  maxWaitMs: true,
};

const TARGET_FIELDS: Partial<Readonly<Record<keyof Target, true>>> = { provider: true, model: true };

/** A question as it is, or as a line says it is. */
type AnyQuestion = { readonly targets?: JsonValue | readonly Target[]; readonly request?: JsonValue | RunRequest };

/**
 * True for a question that asks a CLI of Coxswain's own list to answer, and nothing more. Only such a question goes to `cox serve`. The server
 * checks it too: a program in a sandbox that reaches the socket must not start an agent or another program outside of its sandbox.
 */
export function isPlain({ providers }: Pick<Client, "providers">, { targets, request }: AnyQuestion): boolean {
  const isBuiltIn = (id: unknown): boolean => providers.some((provider) => provider.id === id && provider.origin === undefined);
  if (!Array.isArray(targets) || targets.length === 0 || !hasOnly(request, FIELDS)) return false;
  return targets.every((target) => hasOnly(target, TARGET_FIELDS) && isBuiltIn((target as Target).provider));
}

function hasOnly(value: unknown, fields: object): boolean {
  return isJsonObject(value as JsonValue) && Object.keys(value as object).every((name) => Object.hasOwn(fields, name));
}
