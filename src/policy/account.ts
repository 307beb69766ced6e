import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { findProvider, providerIdOf } from "../run/runner.ts";
import type { RunRequest, Target } from "../spec/request.ts";
import type { PolicyHost } from "./policy.ts";
import type { QuotaOwner } from "./quota-memory.ts";

/** Variables of a request that choose another account or another service. */
const CHOOSES_ACCOUNT = /_(?:API_KEY|AUTH_TOKEN|OAUTH_TOKEN|BASE_URL)$/;

/** Whose quota a run would use: by the login and the keys that its process will have. */
export function accountOf(host: PolicyHost, target: Target, { auth, env = {} }: RunRequest): QuotaOwner {
  const provider = providerIdOf(host, target.provider);
  const { profile: variable, apiKeys = [] } = findProvider(host, target.provider)?.env ?? {};
  const profile = variable === undefined ? undefined : (env[variable] ?? target.profile ?? host.env[variable]);
  const keys = auth === "subscription" ? [] : apiKeys.flatMap((name) => env[name] ?? host.env[name] ?? []);
  const chosen = Object.keys(env).filter((name) => CHOOSES_ACCOUNT.test(name) && !apiKeys.includes(name));
  const choices = [...keys, ...chosen.toSorted().map((name) => `${name}=${env[name]}`)].filter((choice) => choice !== "");
  return {
    provider,
    ...(profile && { profile: resolve(profile) }),
    ...(choices.length > 0 && { account: toToken(choices) }),
  };
}

/** Stands for keys without telling anything of them. */
function toToken(choices: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["coxswain account", ...choices]))
    .digest("hex")
    .slice(0, 12);
}
