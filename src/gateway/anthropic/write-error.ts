import { errorBody, errorTypeOf } from "../../formats/anthropic.ts";
import { type Failure, failureSentences } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import type { JsonObject } from "../../spec/json.ts";

/** Anthropic's statuses that differ from those of Coxswain's failures. */
const STATUSES: Readonly<Record<number, number>> = { 503: 529 };

/** Failures whose status is another one at Anthropic's API. */
const CODES: Partial<Readonly<Record<FailureCode, number>>> = { "prompt-too-large": 413 };

/** What clients react to, beyond the type of an error. */
const ERROR_CODES: Partial<Readonly<Record<FailureCode, string>>> = { "session-unknown": "thread_not_found" };

/** The HTTP status of a failure at Anthropic's API. */
export function statusOf({ code, replyStatus }: Failure): number {
  return CODES[code] ?? STATUSES[replyStatus] ?? replyStatus;
}

/** The body of a response, or the data of an event, that reports a failure. */
export function failureBody(failure: Failure, id: string): JsonObject & { readonly type: string } {
  const errorCode = ERROR_CODES[failure.code];
  const details = errorCode === undefined ? {} : { details: { error_code: errorCode } };
  return { ...errorBody(errorTypeOf(statusOf(failure)), messageOf(failure), details), request_id: requestId(id) };
}

/** The id of a request, as its header and its errors have it. */
export function requestId(id: string): string {
  return `req_${id}`;
}

/** Clients such as Claude Code shorten the conversation when they read these first words. */
function messageOf(failure: Failure): string {
  const text = failureSentences(failure);
  return failure.code === "context-overflow" ? `prompt is too long: ${text}` : text;
}
