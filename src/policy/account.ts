import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { ResolvedTarget } from "../request/resolve-target.ts";
import type { RunRequest } from "../spec/request.ts";
import { readVariable } from "../spec/text/read-variable.ts";
import type { QuotaOwner } from "./quota-memory.ts";

/** Variables of a request that select another account or another service. */
const CHOOSES_ACCOUNT = /_(?:API_KEY|AUTH_TOKEN|OAUTH_TOKEN|BASE_URL)$/;

/** The account whose quota a run uses: by the login and the keys in the environment of its process. */
export function accountOf(
  inherited: Readonly<Record<string, string | undefined>>,
  { id, target, provider }: ResolvedTarget,
  { auth, env = {} }: RunRequest,
): QuotaOwner {
  const { profile: variable, apiKeys = [] } = provider?.env ?? {};
  const profile =
    variable === undefined ? undefined : (readVariable(env, variable) ?? target.profile ?? readVariable(inherited, variable));
  const keys =
    auth === "subscription" ? [] : apiKeys.flatMap((name) => readVariable(env, name) ?? readVariable(inherited, name) ?? []);
  const chosen = Object.keys(env).filter((name) => CHOOSES_ACCOUNT.test(name) && !apiKeys.includes(name));
  const choices = [...keys, ...chosen.toSorted().map((name) => `${name}=${env[name]}`)].filter((choice) => choice !== "");
  return {
    provider: id,
    ...(profile && { profile: resolve(profile) }),
    ...(choices.length > 0 && { account: toToken(choices) }),
  };
}

/** A hash that reveals nothing about the keys. */
function toToken(choices: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["coxswain account", ...choices]))
    .digest("hex")
    .slice(0, 12);
}
