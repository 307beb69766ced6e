import type { FailureCategory, FailureCode } from "../../spec/failure/failure-codes.ts";

/** The patterns of one category of the provider protocol and the codes they get. */
export type ProtocolCategory = {
  readonly category: FailureCategory;
  /** As the protocol spells them: `_` and `.` stand for at most one separator, a number for an HTTP status. */
  readonly patterns: readonly string[];
  readonly code: FailureCode;
  /** Patterns with a more specific code than their category. */
  readonly codes?: Readonly<Record<string, FailureCode>>;
};

/** The error patterns of the provider protocol, in its order: the first category with a match wins. */
export const PROTOCOL_PATTERNS: readonly ProtocolCategory[] = [
  {
    category: "quota",
    patterns: ["insufficient_quota", "quota_exceeded", "billing_hard_limit", "RESOURCE_EXHAUSTED", "credit_limit", "usage_limit"],
    code: "quota-exhausted",
  },
  {
    category: "rate_limit",
    patterns: ["rate_limit", "rate.limit", "RATE_LIMIT_EXCEEDED", "too_many_requests", "429", "overloaded", "throttl*"],
    code: "rate-limited",
  },
  {
    category: "authentication",
    patterns: [
      "invalid_api_key",
      "unauthorized",
      "UNAUTHENTICATED",
      "PERMISSION_DENIED",
      "authentication_failed",
      "not_authenticated",
      "401",
      "403",
    ],
    code: "not-logged-in",
    codes: { PERMISSION_DENIED: "access-denied", 403: "access-denied" },
  },
  {
    category: "validation",
    patterns: ["invalid_request", "malformed", "bad_request", "validation_error", "invalid_parameter", "400"],
    code: "bad-request",
  },
  {
    category: "network",
    patterns: [
      "ECONNRESET",
      "ETIMEDOUT",
      "ENOTFOUND",
      "ECONNREFUSED",
      "network_error",
      "connection_failed",
      "DEADLINE_EXCEEDED",
      "socket_hang_up",
    ],
    code: "connection-failed",
    codes: { ECONNRESET: "connection-lost", socket_hang_up: "connection-lost" },
  },
  {
    category: "server",
    patterns: ["internal_server_error", "service_unavailable", "bad_gateway", "500", "502", "503", "504"],
    code: "server-error",
  },
  { category: "timeout", patterns: ["timed_out", "timeout", "SIGTERM", "SIGKILL"], code: "upstream-timeout" },
  {
    category: "not_found",
    patterns: ["command_not_found", "ENOENT", "not_found", "model_not_found", "404"],
    // The error does not name what is missing.
    code: "unclassified",
    codes: {
      command_not_found: "cli-missing",
      ENOENT: "cli-missing",
      model_not_found: "model-unknown",
      404: "model-unknown",
    },
  },
  {
    category: "configuration",
    patterns: ["not_configured", "missing_config", "invalid_config", "cli_not_installed"],
    code: "cli-misconfigured",
  },
];

/** Compiles a pattern of the protocol; undefined for a number, which is an HTTP status. */
export function compilePattern(spelling: string): RegExp | undefined {
  if (/^\d+$/.test(spelling)) return undefined;
  return new RegExp(`(?<![A-Za-z0-9])${spelling.replace("*", "").replace(/[_.]/g, "[\\s_.-]?")}`, "i");
}
