import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Qwen Code 0.15.10 and 0.24.4; fixtures/qwen/error-*, session-*, bad-flag* and others. The order matters. */
export const QWEN_FAULTS: readonly FaultRule[] = [
  { kind: "cut", code: "output-truncated", hint: "Ask for a shorter answer; Qwen Code lost the end of its output." },
  { text: /maximum context length|Range of input length|Context is too large to send safely/, code: "context-overflow" },
  { text: /exceeds the endpoint request-body limit/, code: "prompt-too-large" },
  { text: /\[API Error: (?:503|529)\b/, code: "overloaded" },
  { text: /Request timed out|No stream activity for \d+ms/, code: "upstream-timeout" },
  { text: /Failed to parse stream-json line/, code: "bad-request" },
  {
    text: /Model stream ended|is not valid JSON\]|API Error: .*(?: in JSON at position |end of JSON input)/,
    code: "upstream-garbled",
  },
  {
    text: /non-SSE (?:response|content-type)|Model response (?:leaked|started with leaked|contained a malformed|continued after|is an upstream)/,
    code: "upstream-garbled",
  },
  {
    text: /No auth type is selected|Missing API key|Qwen OAuth free tier (?:was|has been) discontinued/,
    code: "not-logged-in",
    hint: "Log in with `qwen auth`, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
  },
  { text: /^The command "\/.*" is not supported in this mode/, code: "bad-request" },
  { text: /Model produced plain text instead of calling the structured_output tool/, code: "schema-mismatch" },
  { kind: "error_max_structured_output_retries", code: "schema-mismatch" },
  { text: /^--json-schema (?:is not a valid JSON Schema|root must accept)/, code: "schema-unreadable" },
  {
    text: /Loop detection halted the run/,
    code: "turn-limit",
    hint: "The model repeated itself, and Qwen Code stopped it; ask in other words or use another model.",
  },
  { text: /Reached max session turns/, code: "turn-limit" },
  { text: /Operation cancelled\./, code: "interrupted" },
  { text: /No input provided via stdin/, code: "prompt-blank" },
  { text: /Resource not found: session:|Session not found/, code: "session-unknown" },
  { text: /Invalid --session-id/, code: "session-invalid" },
  { text: /Unknown argument|Invalid values:/, code: "unknown-option" },
];
