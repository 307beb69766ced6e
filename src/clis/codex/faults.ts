import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Codex 0.166.0; fixtures/codex/error-* and others. Its apostrophes are U+2019 in some sentences. */
export const CODEX_FAULTS: readonly FaultRule[] = [
  {
    text: /Missing environment variable/,
    code: "not-logged-in",
    hint: "Set this variable: the model provider in Codex's config.toml reads its key from it.",
    fixCommand: null,
  },
  { text: /experiencing high demand/, code: "server-error" },
  { text: /does not exist or you do not have access|model is not supported/, code: "model-unknown" },
  { text: /reason: max_output_tokens/, code: "output-truncated" },
  { text: /idle timeout waiting for SSE/, code: "upstream-timeout" },
  // The request was sent, and the connection broke before the answer began.
  { text: /completion: error sending request/, code: "connection-lost" },
  { text: /Input exceeds the maximum length/, code: "prompt-too-large" },
  { text: /No prompt provided/, code: "prompt-blank" },
  { text: /utput schema file|Invalid schema for response_format|invalid_json_schema/, code: "schema-unreadable" },
  { text: /required MCP servers failed/, code: "mcp-server-unavailable" },
  {
    text: /not inside a trusted directory|Error loading config|CODEX_HOME points to|Model provider .* not found/i,
    code: "cli-misconfigured",
  },
  // The kinds of `codex app-server`; its other kinds have an HTTP status or a text that says more.
  { kind: "usageLimitExceeded", code: "quota-exhausted" },
  { kind: "rateLimitExceeded", code: "rate-limited" },
  { kind: "contextWindowExceeded", code: "context-overflow" },
  { kind: "serverOverloaded", code: "overloaded" },
  { kind: "policyCapacityUnavailable", code: "overloaded" },
  { kind: "modelNotFound", code: "model-unknown" },
  { kind: "unauthorized", code: "not-logged-in" },
  { kind: "internalServerError", code: "server-error" },
  { kind: "cyberPolicy", code: "refused" },
  { kind: "misalignmentPolicyViolation", code: "refused" },
];
