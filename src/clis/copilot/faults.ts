import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Copilot 1.0.102; fixtures/copilot/error-* and others. It reports a spent quota as `rate_limit`, so texts come first. */
export const COPILOT_FAULTS: readonly FaultRule[] = [
  { kind: "quota", code: "quota-exhausted" },
  { status: 402, code: "quota-exhausted" },
  { kind: "authentication", status: 403, code: "access-denied" },
  { kind: "authorization", code: "access-denied" },
  { kind: "authentication", code: "not-logged-in" },
  { kind: "rate_limit", code: "rate-limited" },
  { text: /^Could not connect to (?:\w+ )?model provider|Failed native model HTTP request/, code: "connection-failed" },
  { text: /Failed to finalize .* stream/, code: "upstream-garbled" },
  { text: /^No response was returned/, code: "upstream-garbled", hint: "Send the message again; the model returned nothing." },
  // Copilot prints this for an unknown flag (fixture bad-flag).
  { text: /Invalid command format/, code: "unknown-option" },
  { text: /BYOK providers require an explicit model/, code: "cli-misconfigured" },
];
