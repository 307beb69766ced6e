import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Claude Code 2.1.197 and 2.1.325; fixtures error-* and json-format-*, text-format-*, session-*, bad-flag*. */
export const CLAUDE_FAULTS: readonly FaultRule[] = [
  { kind: "aborted", code: "interrupted" },
  { kind: "refusal", code: "refused" },
  { kind: "error_max_turns", code: "turn-limit" },
  { kind: "error_max_budget_usd", code: "budget-spent" },
  { kind: "error_max_structured_output_retries", code: "schema-mismatch" },
  { kind: "max_output_tokens", code: "output-truncated" },
  { kind: "billing_error", code: "quota-exhausted" },
  { kind: "model_not_found", code: "model-unknown" },
  { kind: "rate_limit", code: "rate-limited" },
  { kind: "authentication_failed", status: 403, code: "access-denied" },
  { kind: "authentication_failed", code: "not-logged-in" },
  { text: /^(?:Error: )?Reached max turns/, code: "turn-limit" },
  { status: 413, code: "prompt-too-large" },
  { text: /^Request too large|exceeds 10MB/, code: "prompt-too-large" },
  { text: /^(?:API Error: )?(?:Request timed out|No response from API)/, code: "upstream-timeout" },
  { text: /^(?:API Error: )?(?:Failed to parse JSON|JSON Parse error)|empty or malformed response/, code: "upstream-garbled" },
  { text: /Invalid session ID|--resume requires a valid session/, code: "session-invalid" },
  { text: /unknown option '|argument '.*' is invalid/, code: "unknown-option" },
  { text: /Input must be provided/, code: "prompt-blank" },
  { text: /--json-schema is not (?:valid JSON|a valid JSON Schema)/, code: "schema-unreadable" },
  { text: /^Error parsing streaming input line/, code: "bad-request" },
  {
    text: /cannot be used with root\/sudo/,
    code: "cli-misconfigured",
    hint: "Do not bypass permissions as root; allow tools by pattern instead.",
  },
  {
    text: /requires? (?:--verbose|--print|output-format)|Invalid MCP configuration|Settings file not found/,
    code: "cli-misconfigured",
  },
  { kind: "server_error", status: 529, code: "overloaded" },
  { kind: "server_error", code: "server-error" },
  { kind: "invalid_request", code: "bad-request" },
];

/** The tool result that Claude Code gives the model for a tool that does not exist (fixture tool-unknown). */
export const NO_SUCH_TOOL: RegExp = /^<tool_use_error>Error: No such tool available/;
