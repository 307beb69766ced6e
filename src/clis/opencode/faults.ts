import type { FaultRule } from "../../spec/provider/provider.ts";

const MODEL_HINT = "Check the model: `opencode models` lists what is configured.";

/** The errors of OpenCode 1.18.33; fixtures/opencode/error-* and others. Most of the texts are those of the service that it uses. */
export const OPENCODE_FAULTS: readonly FaultRule[] = [
  { kind: "insufficient_quota", code: "quota-exhausted" },
  { kind: "ContextOverflowError", code: "context-overflow" },
  { kind: "context_length_exceeded", code: "context-overflow" },
  { kind: "MessageOutputLengthError", code: "output-truncated" },
  { kind: "MessageAbortedError", code: "interrupted" },
  { kind: "cut-off", code: "output-truncated", hint: "Retry. OpenCode lost the end of its output." },
  { kind: "permission-rejected", code: "tool-denied" },
  { kind: "ProviderAuthError", code: "not-logged-in" },
  { kind: "model_not_found", code: "model-unknown", hint: MODEL_HINT },
  { text: /No providers are available|No models are available for provider/, code: "model-unknown", hint: MODEL_HINT },
  { kind: "ContentFilterError", code: "refused" },
  // An error inside a stream has the text of the service.
  { text: /^\{"type":"overloaded_error"/, code: "overloaded" },
  { kind: "UnknownError", code: "unclassified", hint: MODEL_HINT },
  { text: /You must provide a message/, code: "prompt-blank" },
  { text: /Failed to change directory/, code: "cwd-unusable" },
  // For an unknown flag OpenCode prints its help and no error line (fixture bad-flag).
  { text: /^\s*(?:-\w, )?--[\w-]+ {2,}\S/, code: "unknown-option", message: "OpenCode printed its help instead of an answer." },
];
