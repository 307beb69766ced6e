import { type ClassifyOptions, toFailure } from "../failures/classify.ts";
import { readRunError } from "../failures/read-error.ts";
import { redact } from "../failures/redact.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCategory } from "../spec/failure/failure-codes.ts";
import type { RunError } from "../spec/failure/run-error.ts";
import type { PermissionDenial } from "../spec/result.ts";

/** Six error types for callers that do not use Coxswain's categories. */
export type ProviderErrorType =
  | "AuthenticationError"
  | "RateLimitError"
  | "NetworkError"
  | "InvalidResponseError"
  | "EnvironmentError"
  | "ToolPermissionError";

export const PROVIDER_ERROR_TYPES: Readonly<Record<FailureCategory, ProviderErrorType>> = {
  authentication: "AuthenticationError",
  quota: "RateLimitError",
  rate_limit: "RateLimitError",
  network: "NetworkError",
  server: "NetworkError",
  timeout: "NetworkError",
  invalid_response: "InvalidResponseError",
  unknown: "InvalidResponseError",
  // The six types have none for a cancelled run; the failure has the reason.
  cancelled: "InvalidResponseError",
  not_found: "EnvironmentError",
  configuration: "EnvironmentError",
  validation: "EnvironmentError",
  permission: "ToolPermissionError",
};

const marker = Symbol.for("coxswain.ProviderError");

export type ProviderErrorOptions = { readonly cause?: unknown; readonly blockedCalls?: readonly PermissionDenial[] };

/** A failure as one of six error types; `failure` has all details. */
export class ProviderError<Type extends ProviderErrorType = ProviderErrorType> extends Error {
  readonly type: Type;
  readonly failure: Failure;
  /** The denied tool calls; only a `ToolPermissionError` has them. */
  declare readonly blockedCalls?: Type extends "ToolPermissionError" ? readonly PermissionDenial[] : never;

  constructor(failure: Failure, options: ProviderErrorOptions = {}) {
    const type = PROVIDER_ERROR_TYPES[failure.category];
    const calls = type === "ToolPermissionError" ? options.blockedCalls : undefined;
    const { cause } = options;
    super(calls === undefined ? failure.message : withCalls(failure.message, calls), cause === undefined ? {} : { cause });
    // The category determines the type at run time; AnyProviderError is the union for callers.
    this.type = type as Type;
    this.failure = failure;
    if (calls !== undefined) Object.assign(this, { blockedCalls: calls });
    Object.defineProperty(this, "name", { value: type, configurable: true, writable: true });
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for a ProviderError of this or any other loaded copy of the package; never throws. */
  static is(value: unknown): value is AnyProviderError {
    try {
      if (typeof value !== "object" || value === null || Reflect.get(value, marker) !== true) return false;
      const category: unknown = Reflect.get(Object(Reflect.get(value, "failure")), "category");
      return Object.entries(PROVIDER_ERROR_TYPES).some(
        ([known, type]) => known === category && type === Reflect.get(value, "type"),
      );
    } catch {
      return false;
    }
  }
}

/** The union of the six; its `type` decides whether it can have `blockedCalls`. */
export type AnyProviderError = { readonly [Type in ProviderErrorType]: ProviderError<Type> }[ProviderErrorType];

/** Converts any error to one of the six types, without secrets in its message. Returns a ProviderError unchanged. */
export function toProviderError(value: unknown, options?: ClassifyOptions): AnyProviderError {
  if (ProviderError.is(value)) return value;
  const denials = denialsOf(readRunError(value)?.error);
  const error = new ProviderError(toFailure(value, options), {
    cause: value,
    ...(denials !== undefined && { blockedCalls: denials }),
  });
  return error as AnyProviderError;
}

/** An error of another copy of the package may lack fields of this version. */
function denialsOf(error: RunError | undefined): readonly PermissionDenial[] | undefined {
  const denials: unknown = error === undefined ? undefined : Reflect.get(Object(error.result), "permissionDenials");
  return Array.isArray(denials) ? denials.filter((denial) => typeof denial === "object" && denial !== null) : undefined;
}

const LONGEST_INPUT = 200;
const LONGEST_READ = 4096;

function withCalls(message: string, calls: readonly PermissionDenial[]): string {
  if (calls.length === 0) return message;
  const listed = calls.map(({ name, input }) => {
    const shown = redact(JSON.stringify(input ?? null).slice(0, LONGEST_READ));
    return `${name} ${shown.length > LONGEST_INPUT ? `${shown.slice(0, LONGEST_INPUT)}…` : shown}`;
  });
  return `${message} Blocked: ${listed.join("; ")}`;
}
