import type { Failure } from "../spec/failure.ts";
import type { FailureCategory } from "../spec/failure-codes.ts";
import type { PermissionDenial } from "../spec/result.ts";
import type { RunError } from "../spec/run-error.ts";
import { type ClassifyOptions, toFailure } from "./classify-error.ts";
import { readRunError } from "./read-run-error.ts";
import { redact } from "./redact.ts";

/** The six kinds of error that a caller may tell apart without knowing our categories. */
export type ProviderErrorType =
  | "AuthenticationError"
  | "RateLimitError"
  | "NetworkError"
  | "InvalidResponseError"
  | "EnvironmentError"
  | "ToolPermissionError";

/** What each category of failure is called among the six. */
export const PROVIDER_ERROR_TYPES: Readonly<Record<FailureCategory, ProviderErrorType>> = {
  authentication: "AuthenticationError",
  quota: "RateLimitError",
  rate_limit: "RateLimitError",
  network: "NetworkError",
  server: "NetworkError",
  timeout: "NetworkError",
  invalid_response: "InvalidResponseError",
  unknown: "InvalidResponseError",
  // No terminal event and no usable answer came, which is all that the six can say of it; the failure says who stopped it.
  cancelled: "InvalidResponseError",
  not_found: "EnvironmentError",
  configuration: "EnvironmentError",
  validation: "EnvironmentError",
  permission: "ToolPermissionError",
};

const marker = Symbol.for("coxswain.ProviderError");

/** What a ProviderError may be made with beyond its failure. */
export type ProviderErrorOptions = { readonly cause?: unknown; readonly blockedCalls?: readonly PermissionDenial[] };

/** A failure as one of six errors; a view, the whole of it is in `failure`. */
export class ProviderError<Type extends ProviderErrorType = ProviderErrorType> extends Error {
  readonly type: Type;
  readonly failure: Failure;
  /** The calls that were not allowed; only a `ToolPermissionError` has them. */
  declare readonly blockedCalls?: Type extends "ToolPermissionError" ? readonly PermissionDenial[] : never;

  constructor(failure: Failure, options: ProviderErrorOptions = {}) {
    const type = PROVIDER_ERROR_TYPES[failure.category];
    const calls = type === "ToolPermissionError" ? options.blockedCalls : undefined;
    const { cause } = options;
    super(calls === undefined ? failure.message : withCalls(failure.message, calls), cause === undefined ? {} : { cause });
    // The category decides at run time what `Type` says; AnyProviderError tells the six apart.
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

/** A ProviderError whose `type` tells whether it can have `blockedCalls`. */
export type AnyProviderError = { readonly [Type in ProviderErrorType]: ProviderError<Type> }[ProviderErrorType];

/** Shows any error as one of the six, its words without secrets; what is one of them already is given back as it is. */
export function toProviderError(value: unknown, options?: ClassifyOptions): AnyProviderError {
  if (ProviderError.is(value)) return value;
  const denials = denialsOf(readRunError(value)?.error);
  const error = new ProviderError(toFailure(value, options), {
    cause: value,
    ...(denials !== undefined && { blockedCalls: denials }),
  });
  return error as AnyProviderError;
}

/** An error of another copy of the package may lack what ours has. */
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
