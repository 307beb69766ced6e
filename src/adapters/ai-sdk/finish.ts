import {
  APICallError,
  type JSONObject,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
  type SharedV4ProviderMetadata,
  type SharedV4Warning,
} from "@ai-sdk/provider";
import type { Answering } from "../../doors/answer-part.ts";
import { mayRepeat, retryAfterMs } from "../../doors/retry-after.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import { defined } from "../../spec/json.ts";
import type { PermissionDenial, RunResult, RunWarning } from "../../spec/result.ts";
import type { Finish } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { Call } from "./read-call.ts";

/** What `providerMetadata.coxswain` says about an answer. */
export type CoxswainMetadata = {
  /** The provider and the model that answered, as far as they are known. */
  readonly provider?: string;
  readonly model?: string;
  /** The number of attempts, retries and fallbacks included. */
  readonly attempts: number;
  readonly warm: boolean;
  /** The CLI's own id of the session, if it can be resumed. */
  readonly sessionId?: string;
  readonly costUsd?: number;
  /** Present if the tokens, or the cost, are those of the whole session, because what they were before this call is unknown. */
  readonly usageScope?: "thread";
  readonly costScope?: "thread";
  /** The tool calls of the CLI that were denied. */
  readonly permissionDenials?: readonly PermissionDenial[];
  readonly warnings?: readonly RunWarning[];
};

export function metadataOf(result: RunResult, answering: Answering): SharedV4ProviderMetadata {
  const { provider = answering.provider, model = answering.model, sessionId, costUsd, costScope } = result;
  const { usage, permissionDenials, warnings } = result;
  const metadata: CoxswainMetadata = {
    ...defined({ provider, model, sessionId, costUsd, costScope }),
    attempts: answering.attempt,
    warm: answering.isWarm,
    ...(usage?.scope === "thread" && { usageScope: usage.scope }),
    ...(permissionDenials.length > 0 && { permissionDenials }),
    ...(warnings.length > 0 && { warnings }),
  };
  // The two differ only in `readonly`.
  return { coxswain: metadata as unknown as JSONObject };
}

export function toWarning({ message }: RunWarning): SharedV4Warning {
  return { type: "other", message };
}

const UNIFIED: Readonly<Record<Finish, LanguageModelV4FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool-calls",
  "content-filter": "content-filter",
  cancelled: "interrupted",
  error: "error",
};

/** The finish reason of an answer; one with invalid calls ends with calls too, so that the AI SDK goes on with them. */
export function finishReasonOf({ finish, invalidCalls = [], failure }: RunResult): LanguageModelV4FinishReason {
  const unified = invalidCalls.length > 0 && failure === undefined ? "tool-calls" : UNIFIED[finish];
  return { unified, raw: failure?.code ?? finish };
}

/** Token counts in the AI SDK's form; a count that the CLI did not report is undefined. */
export function toUsage(usage: Usage | undefined): LanguageModelV4Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage ?? {};
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : Math.max(0, inputTokens - cached),
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined || reasoningTokens === undefined ? undefined : Math.max(0, outputTokens - reasoningTokens),
      reasoning: reasoningTokens,
    },
    ...(usage !== undefined && { raw: { ...usage } }),
  };
}

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
      ...defined({ mode, effort, maxOutputTokens }),
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
