import { breakerAfter, breakerRefusal, NEW_BREAKER } from "./breaker.ts";
import type { ModelCall } from "./model-call.ts";
import { cooldownKey } from "./model-client.ts";
import { forgetQuota, rememberQuota, spentQuota } from "./quota.ts";
import { categoryOf } from "./repetition.ts";
import { retryTarget } from "./retry.ts";
import { type End, failWith, timeOf, type Walk } from "./walk.ts";

/** Predicts a target unless its provider is known to be closed, and remembers the end. */
export function coolTarget(walk: Walk, target: ModelCall["targets"][number]): End {
  const options = walk.client.policies.cooldown;
  if (options === false) return retryTarget(walk, target);
  const { provider, profile, model } = target;
  const login = { provider, ...(profile !== undefined && { profile }) };
  const subject = { ...login, ...(model !== undefined && { model }) };
  const key = cooldownKey(login, walk.call.request.auth);
  const breaker = walk.breakers.get(key) ?? NEW_BREAKER;
  // A spent quota is checked before the breaker.
  const refusal = spentQuota(walk, subject) ?? breakerRefusal(breaker, timeOf(walk));
  if (refusal !== undefined) return failWith(refusal);

  const end = retryTarget(walk, target);
  if (end.answer) forgetQuota(walk, subject);
  else if (categoryOf(end.failure.code) === "quota") rememberQuota(walk, subject, { failure: end.failure, options });
  walk.breakers.set(key, breakerAfter(breaker, end.answer ? "answer" : end.failure.code, { now: timeOf(walk), options }));
  return end;
}
