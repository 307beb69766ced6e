import type { Failure } from "../spec/failure/failure.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { McpAnswer } from "./mcp-tool.ts";

/** The answer of a run that has ended, with further data. */
export function toAnswer(result: RunResult, further: JsonObject = {}): McpAnswer {
  const data = { ...toData(result), ...further };
  if (result.failure !== undefined) return { text: failureText(result.failure), data, isError: true };
  return { text: result.text, data, isError: false };
}

/** The answer of a call that failed before a run. */
export function toFailedAnswer(failure: Failure): McpAnswer {
  return { text: failureText(failure), data: { failure: toFailureData(failure) }, isError: true };
}

/** The fields of a result that a caller can use. */
export function toData(result: RunResult): JsonObject {
  const { text, object, provider, model, usage, costUsd, costScope, finish, failure, attempts, warnings, permissionDenials } =
    result;
  return {
    text,
    finish,
    ...(object !== undefined && { object }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage: toJson(usage) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costScope !== undefined && { costScope }),
    ...(attempts !== undefined && {
      attempts: attempts.map((attempt) => ({
        provider: attempt.provider,
        ...(attempt.model !== undefined && { model: attempt.model }),
        ...(attempt.failure !== undefined && { failure: toFailureData(attempt.failure) }),
      })),
    }),
    ...(warnings.length > 0 && { warnings: toJson(warnings) }),
    ...(permissionDenials.length > 0 && { permissionDenials: permissionDenials.map(({ id: _, ...denial }) => toJson(denial)) }),
    ...(failure !== undefined && { failure: toFailureData(failure) }),
  };
}

/** A failure without its evidence, which is for people at the machine. */
export function toFailureData(failure: Failure): JsonObject {
  const { code, category, message, hint, fixCommand, retryAfterMs, resetAt, partialText } = failure;
  return {
    code,
    category,
    message,
    hint,
    ...(fixCommand !== undefined && { fixCommand }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(resetAt !== undefined && { resetAt }),
    ...(partialText !== undefined && { partialText }),
  };
}

/** A failure as text: the message and the hint. */
export function failureText({ message, hint, fixCommand }: Failure): string {
  return [message, hint, ...(fixCommand === undefined ? [] : [`Command for it: ${fixCommand}`])].join("\n");
}

/** Plain data as a JSON value: fields that are undefined are left out. */
export function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
