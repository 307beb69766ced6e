import type { CooldownOptions } from "../../../src/spec/client-options.ts";
import { type CooldownSubject, cooldownKey } from "./model-client.ts";
import type { FailureFacts, RememberedQuota } from "./prediction.ts";
import { exactly, isAtLeast, plus } from "./range.ts";
import { timeOf, type Walk } from "./walk.ts";

/** The failure of a run whose quota is known to be spent, from files or from the client's memory. */
export function spentQuota(walk: Walk, target: CooldownSubject): FailureFacts | undefined {
  const keys = quotaKeys(walk, target);
  const resets = keys.map((key) => walk.quotaFiles.get(key)).filter((resetAt) => resetAt !== undefined);
  const closed = resets.filter((resetAt) => !isAtLeast(timeOf(walk), exactly(resetAt), "whether the quota is open again"));
  if (closed.length > 0) return { code: "quota-exhausted", resetAt: Math.max(...closed) };
  const presumed = keys.map((key) => walk.quotas.get(key)).filter((until) => until !== undefined);
  if (presumed.every((until) => isAtLeast(timeOf(walk), until, "whether quotaMs are over"))) return undefined;
  return { code: "quota-exhausted" };
}

/** Closes the provider, or one model of it: with a known `resetAt` in a file, without one in the client alone. */
export function rememberQuota(
  walk: Walk,
  { model, ...login }: CooldownSubject,
  { failure, options }: { readonly failure: FailureFacts; readonly options: Required<CooldownOptions> },
): void {
  const subject = failure.isAboutModel === true && model !== undefined ? { ...login, model } : login;
  const key = cooldownKey(subject, walk.call.request.auth);
  if (failure.resetAt === undefined) {
    walk.quotas.set(key, plus(timeOf(walk), exactly(options.quotaMs)));
  } else if (!isAtLeast(timeOf(walk), exactly(failure.resetAt), "whether resetAt is past")) {
    walk.quotaFiles.set(key, failure.resetAt);
  }
}

/** An answer clears the quotas of the provider and of the model that gave it. */
export function forgetQuota(walk: Walk, target: CooldownSubject): void {
  for (const key of quotaKeys(walk, target)) {
    walk.quotas.delete(key);
    walk.quotaFiles.delete(key);
  }
}

/** The quotas that are known to be spent at the end of the run, files before memory. */
export function rememberedQuotas(walk: Walk): readonly RememberedQuota[] {
  const now = timeOf(walk);
  const files = [...walk.quotaFiles].map(([key, resetAt]) => ({ key, where: "file" as const, until: exactly(resetAt) }));
  const memory = [...walk.quotas].map(([key, until]) => ({ key, where: "memory" as const, until }));
  return [...files, ...memory].filter(({ until }) => until.max > now.min);
}

function quotaKeys(walk: Walk, { model, ...login }: CooldownSubject): readonly string[] {
  const { auth } = walk.call.request;
  const whole = cooldownKey(login, auth);
  return model === undefined ? [whole] : [whole, cooldownKey({ ...login, model }, auth)];
}
