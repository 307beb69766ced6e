import type { FallbackOptions } from "../../../src/spec/client-options.ts";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { isTimeOver } from "./clocks.ts";
import { coolTarget } from "./cooldown.ts";
import { nameModels } from "./model-names.ts";
import { categoryOf, type FailedEnd, mayBeFollowed, resetMessages, traitsOf } from "./repetition.ts";
import type { End, Walk } from "./walk.ts";

/** Predicts the list of targets until one answers or the next may not be tried. */
export function walkTargets(walk: Walk): End {
  const options = walk.client.policies.fallback;
  const targets = options === false ? walk.call.targets.slice(0, 1) : nameModels(walk.call.targets, options.models);
  let [target, ...others] = targets;
  if (target === undefined) throw new RangeError("A call has at least one target.");
  for (;;) {
    const end = coolTarget(walk, target);
    const [next, ...rest] = others;
    if (end.answer || options === false || next === undefined || !mayMoveOn(walk, end, options)) return end;
    resetMessages(walk, end);
    walk.events.push({ type: "fallback", from: target.provider, to: next.provider, code: end.failure.code });
    keepSession(walk);
    [target, others] = [next, rest];
  }
}

function mayMoveOn(walk: Walk, end: FailedEnd, options: Required<FallbackOptions>): boolean {
  return mayBeFollowed(walk, end) && leadsOn(end.failure.code, options) && !continuesSession(walk) && !isTimeOver(walk);
}

/** Whether a failure leads to the next target. */
export function leadsOn(code: FailureCode, options: Required<FallbackOptions>): boolean {
  if (traitsOf(code).shouldFallback || categoryOf(code) === "rate_limit") return true;
  if (code === "option-unsupported" || code === "prompt-too-large") return true;
  return categoryOf(code) === "authentication" && options.onAuthentication;
}

/** Only the CLI that began a session can resume it. */
function continuesSession({ session }: Walk): boolean {
  return session !== undefined && ("resume" in session || "fork" in session);
}

/** A chosen session id becomes `keep` on the next target. */
function keepSession(walk: Walk): void {
  if (walk.session === undefined || !("id" in walk.session)) return;
  walk.session = { keep: true };
  walk.events.push({ type: "warning", code: "session-changed" });
}
