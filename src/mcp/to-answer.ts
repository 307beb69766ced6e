import type { Failure } from "../spec/failure/failure.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { defined } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { McpAnswer } from "./mcp-host.ts";

export function toAnswer(result: RunResult, further: JsonObject = {}): McpAnswer {
  const data = { ...toData(result), ...further };
  if (result.failure !== undefined) return { text: failureText(result.failure), data, isError: true };
  return { text: result.text, data, isError: false };
}

export function toFailedAnswer(failure: Failure): McpAnswer {
  return { text: failureText(failure), data: { failure: toFailureData(failure) }, isError: true };
}

/** The fields of a result that a caller can use. */
export function toData(result: RunResult): JsonObject {
  const { text, object, provider, model, usage, costUsd, costScope, finish, failure, attempts, warnings, permissionDenials } =
    result;
  return defined({
    text,
    finish,
    object,
    provider,
    model,
    usage: usage && toJson(usage),
    costUsd,
    costScope,
    attempts: attempts?.map((attempt) =>
      defined({
        provider: attempt.provider,
        model: attempt.model,
        failure: attempt.failure && toFailureData(attempt.failure),
      }),
    ),
    warnings: warnings.length > 0 ? toJson(warnings) : undefined,
    permissionDenials: permissionDenials.length > 0 ? permissionDenials.map(({ id: _, ...denial }) => toJson(denial)) : undefined,
    failure: failure && toFailureData(failure),
  });
}

/** A failure without its evidence, which is for people at the machine. */
export function toFailureData(failure: Failure): JsonObject {
  const { code, category, message, hint, fixCommand, retryAfterMs, resetAt, partialText } = failure;
  return defined({ code, category, message, hint, fixCommand, retryAfterMs, resetAt, partialText });
}

export function failureText({ message, hint, fixCommand }: Failure): string {
  return [message, hint, ...(fixCommand === undefined ? [] : [`Command for it: ${fixCommand}`])].join("\n");
}

/** Plain data as a JSON value: fields that are undefined are left out. */
export function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
