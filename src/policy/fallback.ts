import { modelOf, type ResolvedTarget } from "../request/targets.ts";
import { hasTimeFor, type Part, type Policy } from "../run/part.ts";
import type { RunWriter } from "../run/run-writer.ts";
import type { FallbackOptions } from "../spec/client-options.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { defined } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { Fallback } from "../spec/wire/events.ts";
import { mayRepeat, resetMessages } from "./retry.ts";

/** Tries the targets in order until one answers or a failure rules out a fallback. */
export function fallback(options: FallbackOptions = {}): Policy {
  return (next) => {
    const walk: Part = async ([target, following, ...others], request, context) => {
      const { writer } = context;
      writer.forgetTrace();
      const end = await next([target], request, context);
      const { failure } = end;
      if (failure === undefined || following === undefined || !hasTimeFor(context, 0)) return end;
      const isOutOfTime = failure.code === "total-timeout" && context.total !== undefined;
      if (isOutOfTime || !mayMoveOn(failure, request, options)) return end;
      if (!mayRepeat(context, target, request, failure)) return end;
      resetMessages(context);
      writer.write(fallbackEvent(target, following, failure));
      return walk([following, ...others], withAnySession(request, writer), context);
    };
    return walk;
  };
}

function fallbackEvent(from: ResolvedTarget, to: ResolvedTarget, failure: Failure): Fallback {
  const names = { from: from.provider.id, fromModel: modelOf(from), to: to.provider.id, toModel: modelOf(to) };
  return defined({ type: "fallback", ...names, failure });
}

/** Failures of the category `validation` that depend on the target, not on the request alone. */
const ABOUT_THE_TARGET: ReadonlySet<FailureCode> = new Set(["option-unsupported", "prompt-too-large"]);

function mayMoveOn({ category, code, shouldFallback }: Failure, { session }: RunRequest, options: FallbackOptions): boolean {
  // A session exists only in the CLI that created it.
  if (session !== undefined && ("resume" in session || "fork" in session)) return false;
  if (category === "authentication") return options.onAuthentication === true;
  return shouldFallback || category === "rate_limit" || ABOUT_THE_TARGET.has(code);
}

/** The formats of session ids differ between CLIs, so the next CLI chooses its own id. */
function withAnySession(request: RunRequest, writer: RunWriter): RunRequest {
  const { session } = request;
  if (session === undefined) return request;
  if ("id" in session) {
    const message = `The session id ${session.id} belongs to the failed target; the next CLI chooses its own id.`;
    writer.write({ type: "warning", code: "session-changed", message });
  }
  return { ...request, session: { keep: true } };
}
