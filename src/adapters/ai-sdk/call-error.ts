import { APICallError } from "@ai-sdk/provider";
import { mayRepeat, retryAfterMs } from "../../doors/retry-after.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import type { RunResult } from "../../spec/result.ts";
import type { Call } from "./read-call.ts";

export type FailedCall = { readonly modelId: string; readonly call: Call; readonly signal: AbortSignal | undefined };

/**
 * The error of a failed run as the AI SDK expects it: the reason of the signal for an aborted call, else an APICallError whose cause is
 * the RunError. It holds neither the prompt nor the environment.
 */
export function toCallError(failure: Failure, result: RunResult, { modelId, call, signal }: FailedCall): unknown {
  if (failure.category === "cancelled")
    return signal?.aborted === true ? signal.reason : new DOMException(failure.message, "AbortError");
  const { tools, mode, effort, maxOutputTokens, outputSchema } = call.request;
  const waitMs = retryAfterMs(failure, Date.now());
  const { category, code, hint } = failure;
  return new APICallError({
    message: failure.message,
    url: `coxswain:${modelId}`,
    requestBodyValues: {
      model: modelId,
      ...(mode !== undefined && { mode }),
      ...(effort !== undefined && { effort }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(tools !== undefined && { tools: tools.map(({ name }) => name) }),
      ...(outputSchema !== undefined && { outputSchema }),
    },
    statusCode: failure.replyStatus,
    ...(waitMs !== undefined && { responseHeaders: waitHeaders(waitMs) }),
    isRetryable: waitMs !== undefined && waitMs < LONGEST_WAIT_MS && mayRepeat(failure),
    data: { category, code, hint },
    cause: new RunError(failure, result),
  });
}

/** The AI SDK does not wait longer than this. */
const LONGEST_WAIT_MS = 60_000;

function waitHeaders(waitMs: number): Record<string, string> {
  return { "retry-after-ms": String(Math.ceil(waitMs)), "retry-after": String(Math.ceil(waitMs / 1000)) };
}
