import type { FaultRule } from "../spec/provider.ts";

/** The error texts of the CLIs that print role messages; fixtures/ax-glm and grok-vibe. The shared rules read the HTTP statuses. */
export const ROLE_FAULTS: readonly FaultRule[] = [
  { kind: "max_tool_rounds", code: "turn-limit" },
  { kind: "shutdown", code: "interrupted" },
  // z.ai and xAI use the status 429 for a spent quota and for a rate limit.
  {
    text: /Insufficient balance|no resource package|Usage limit reached|used all available credits|monthly spending limit/,
    code: "quota-exhausted",
  },
  { text: /maximum prompt length is|Prompt exceeds max length/, code: "context-overflow" },
  { text: /currently overloaded/, code: "overloaded" },
  { text: /API error(?: \(model: .*?\))?: Connection error/, code: "connection-failed" },
  { text: /API error(?: \(model: .*?\))?: terminated/, code: "connection-lost" },
  {
    text: /Cannot read properties of undefined \(reading '0'\)|response validation failed|No response from/,
    code: "upstream-garbled",
  },
  { text: /API key required/, code: "not-logged-in" },
  { text: /unknown option '/, code: "unknown-option" },
  { text: /Interactive mode not supported/, code: "cli-misconfigured" },
];
