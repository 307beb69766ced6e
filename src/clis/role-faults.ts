import type { FaultRule } from "../spec/provider.ts";

/** How the CLIs that print role messages word their errors; fixtures/ax-glm and grok-vibe. Statuses are read by the shared rules. */
export const ROLE_FAULTS: readonly FaultRule[] = [
  { kind: "max_tool_rounds", code: "turn-limit" },
  { kind: "shutdown", code: "interrupted" },
  // Quota and rate limit have one status, 429, at z.ai and at xAI.
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
