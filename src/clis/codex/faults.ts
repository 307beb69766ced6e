import type { FaultRule } from "../../spec/provider.ts";

/** The error texts of Codex 0.166.0; fixtures/codex/error-* and others. Its apostrophes are U+2019 in some sentences. */
export const CODEX_FAULTS: readonly FaultRule[] = [
  { text: /unexpected status 401|Not logged in|Missing environment variable/, code: "not-logged-in" },
  { text: /unexpected status 403/, code: "access-denied" },
  { text: /last status: 429|rate limit exceeded/i, code: "rate-limited" },
  { text: /Quota exceeded|hit your usage limit|To use Codex with your ChatGPT plan, upgrade/, code: "quota-exhausted" },
  { text: /experiencing high demand|(?:unexpected|last) status:? 5\d\d/, code: "server-error" },
  { text: /at capacity/, code: "overloaded" },
  { text: /does not exist or you do not have access|model is not supported/, code: "model-unknown" },
  {
    text: /ran out of room in the model['’]s context window|context_length_exceeded|exceeds the context window/,
    code: "context-overflow",
  },
  { text: /reason: max_output_tokens/, code: "output-truncated" },
  { text: /reason: content_filter/, code: "refused" },
  { text: /idle timeout waiting for SSE/, code: "upstream-timeout" },
  { text: /stream closed before response\.completed/, code: "upstream-garbled" },
  { text: /Transport error|completion: error sending request/, code: "connection-lost" },
  { text: /stream disconnected before completion/, code: "server-error" },
  { text: /Connection failed|error sending request|failed to lookup address/, code: "connection-failed" },
  { text: /unexpected argument '|unrecognized subcommand/, code: "unknown-option" },
  { text: /no rollout found for thread id/, code: "session-unknown" },
  { text: /already has an active writer/, code: "session-busy" },
  { text: /Input exceeds the maximum length/, code: "prompt-too-large" },
  { text: /No prompt provided/, code: "prompt-blank" },
  { text: /utput schema file|Invalid schema for response_format|invalid_json_schema/, code: "schema-unreadable" },
  {
    text: /not inside a trusted directory|Error loading config|CODEX_HOME points to|required MCP servers failed|Model provider .* not found/i,
    code: "cli-misconfigured",
  },
  { text: /invalid_request_error|^\{"detail":/, code: "bad-request" },
];
