import { providerIdOf } from "../run/runner.ts";
import type { Failure } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import type { FallbackOptions } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import { mapModels } from "./map-models.ts";
import type { Policy, PolicyHost } from "./policy.ts";
import { type RelayedRun, relayRun } from "./relayed-run.ts";
import { isOutOfTime, withTimeLeft } from "./time-left.ts";

/** Walks the targets until one answers or a failure says that no other will. */
export function fallback(host: PolicyHost, options: FallbackOptions = {}): Policy {
  const idOf = (name: string): string => providerIdOf(host, name);
  return (next) => (given, request, context) => {
    const targets = mapModels(given, options, idOf);
    if (targets.length < 2) return next(targets, request, context);
    return relayRun(host, request, context, async (run) => {
      let current = request;
      for (const [index, target] of targets.entries()) {
        const passed = await run.pass(next([target], current, run.context));
        const { failure } = passed.end;
        const following = targets[index + 1];
        const left = withTimeLeft(request, run.sequence.elapsedMs);
        if (failure === undefined || following === undefined || left === undefined) return run.end(passed);
        if (isOutOfTime(request, failure) || !mayMoveOn(failure, request, options)) return run.end(passed);
        if (!run.mayRepeat(passed)) return run.end(passed);
        run.takeBack(passed);
        run.add({ type: "fallback", from: idOf(target.provider), to: idOf(following.provider), failure });
        current = withAnySession(current, left, run);
      }
    });
  };
}

/** These are about the target, not about the request. */
const ABOUT_THE_TARGET: ReadonlySet<FailureCode> = new Set(["option-unsupported", "prompt-too-large"]);

function mayMoveOn({ category, code, shouldFallback }: Failure, { session }: RunRequest, options: FallbackOptions): boolean {
  // Only the CLI that began a session knows it.
  if (session !== undefined && ("resume" in session || "fork" in session)) return false;
  if (category === "authentication") return options.onAuthentication === true;
  return shouldFallback || category === "rate_limit" || ABOUT_THE_TARGET.has(code);
}

/** Session ids look different from CLI to CLI, so that the next one chooses its own. */
function withAnySession({ session }: RunRequest, left: RunRequest, run: RelayedRun): RunRequest {
  if (session === undefined) return left;
  if ("id" in session) {
    const message = `The session id ${session.id} belongs to the failed target; the next CLI chooses its own id.`;
    run.add({ type: "warning", code: "session-changed", message });
  }
  return { ...left, session: { keep: true } };
}
