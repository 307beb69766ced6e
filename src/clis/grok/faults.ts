import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Grok Build 1.0.41; fixtures/grok. The shared rules read the HTTP statuses in them. */
export const GROK_FAULTS: readonly FaultRule[] = [
  { kind: "error_max_turns", code: "turn-limit" },
  { kind: "error_max_structured_output_retries", code: "schema-mismatch" },
  { kind: "refusal", code: "refused" },
  {
    kind: "cancelled",
    code: "tool-denied",
    message: "Grok Build ended the turn: a tool call needed an approval, which a headless run cannot give.",
  },
  { text: /response truncated by max_tokens/, code: "output-truncated" },
  { text: /^(?:Error: )?max turns reached/, code: "turn-limit" },
  { text: /Some resource has been exhausted: Too many requests/, code: "rate-limited" },
  { text: /currently overloaded/, code: "overloaded" },
  { text: /session restore|no session id or title matched/, code: "session-unknown" },
  {
    text: /empty response from model|No ResponseCompleted or ResponseIncomplete event|serialization error/,
    code: "upstream-garbled",
  },
  { text: /--session-id must be a valid UUID/, code: "session-invalid" },
  { text: /prompt is empty/i, code: "prompt-blank" },
  { text: /unexpected argument '|unknown effort level/, code: "unknown-option" },
  { text: /os error 6\)|this sandbox could not|Requirements unsatisfied/, code: "cli-misconfigured" },
];
