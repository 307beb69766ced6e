import type { FaultRule } from "../../spec/provider.ts";

/** The error texts of Copilot 1.0.102; fixtures/copilot/error-* and others. It reports a spent quota as `rate_limit`, so texts come first. */
export const COPILOT_FAULTS: readonly FaultRule[] = [
  { kind: "quota", code: "quota-exhausted" },
  { text: /exceeded your current quota|insufficient_quota|insufficient balance/i, code: "quota-exhausted" },
  { status: 402, code: "quota-exhausted" },
  {
    text: /maximum context length|context_length_exceeded|context window|exceeds the model['’]s prompt budget/i,
    code: "context-overflow",
  },
  { kind: "authentication", status: 403, code: "access-denied" },
  { kind: "authorization", code: "access-denied" },
  { kind: "authentication", code: "not-logged-in" },
  { kind: "rate_limit", code: "rate-limited" },
  { text: /^Could not connect to (?:\w+ )?model provider|Failed native model HTTP request/, code: "connection-failed" },
  { text: /Failed to finalize .* stream/, code: "upstream-garbled" },
  { text: /^No response was returned/, code: "upstream-garbled", hint: "Send the message again; the model returned nothing." },
  ...[500, 502, 503, 504].map((status) => ({ status, text: /overloaded/i, code: "overloaded" }) as const),
  { text: /No authentication information found/, code: "not-logged-in" },
  // Copilot prints this for an unknown flag (fixture bad-flag).
  { text: /Invalid command format/, code: "unknown-option" },
  { text: /No session, task, or name matched/, code: "session-unknown" },
  { text: /BYOK providers require an explicit model/, code: "cli-misconfigured" },
];
