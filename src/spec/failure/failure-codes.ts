/** Whether a failure is worth a retry or a fallback, and its HTTP status. */
export type FailureTraits = {
  readonly shouldRetry: boolean;
  readonly shouldFallback: boolean;
  /** The HTTP status with which a server passes the failure on; the status that the service itself gave is in the evidence. */
  readonly replyStatus: number;
};

/** The first ten rows are those of the provider protocol. */
const TRAITS = {
  quota: { shouldRetry: false, shouldFallback: true, replyStatus: 429 },
  rate_limit: { shouldRetry: true, shouldFallback: false, replyStatus: 429 },
  authentication: { shouldRetry: false, shouldFallback: false, replyStatus: 401 },
  validation: { shouldRetry: false, shouldFallback: false, replyStatus: 400 },
  network: { shouldRetry: true, shouldFallback: true, replyStatus: 502 },
  server: { shouldRetry: true, shouldFallback: true, replyStatus: 502 },
  timeout: { shouldRetry: true, shouldFallback: true, replyStatus: 504 },
  not_found: { shouldRetry: false, shouldFallback: true, replyStatus: 404 },
  configuration: { shouldRetry: false, shouldFallback: false, replyStatus: 500 },
  unknown: { shouldRetry: false, shouldFallback: true, replyStatus: 500 },
  cancelled: { shouldRetry: false, shouldFallback: false, replyStatus: 499 },
  permission: { shouldRetry: false, shouldFallback: false, replyStatus: 403 },
  invalid_response: { shouldRetry: true, shouldFallback: true, replyStatus: 502 },
} as const;

/** The kinds of failure a caller may want to branch on. */
export type FailureCategory = keyof typeof TRAITS;

export const FAILURE_TRAITS: Readonly<Record<FailureCategory, FailureTraits>> = TRAITS;

export type FailureCodeInfo = {
  readonly category: FailureCategory;
  /** What the user should do; providers and callers may give a better hint. */
  readonly hint: string;
  readonly traits?: Partial<FailureTraits>;
};

const CODES = {
  "quota-exhausted": { category: "quota", hint: "Wait until the limit resets, add credit, or use another provider." },
  "rate-limited": { category: "rate_limit", hint: "Retry in a moment." },
  "queue-full": { category: "rate_limit", hint: "Start fewer runs at once, or raise the limits of the client." },
  "not-logged-in": { category: "authentication", hint: "Log in to the CLI, then retry." },
  "access-denied": { category: "authentication", hint: "Check that the account has access to this model and service." },
  "bad-request": { category: "validation", hint: "Correct the request. A retry would fail in the same way." },
  "prompt-blank": { category: "validation", hint: "Write a prompt with at least one visible character." },
  "prompt-malformed": { category: "validation", hint: "Remove NUL characters and unpaired surrogates from the text." },
  "prompt-too-large": { category: "validation", hint: "Shorten the prompt, or put the material in files and use agent mode." },
  "context-overflow": { category: "validation", hint: "Shorten the conversation or start a new session." },
  "options-conflict": { category: "validation", hint: "Remove one of these options." },
  "option-unsupported": { category: "validation", hint: "Remove the option or choose a provider that supports it." },
  "schema-unreadable": {
    category: "validation",
    hint: "Correct the schema. It must be a JSON Schema, or a schema that can be converted to one.",
  },
  "cwd-unusable": { category: "validation", hint: "Choose an existing directory that you can enter." },
  "arguments-too-large": { category: "validation", hint: "Shorten the values that are passed as arguments, such as a schema." },
  "session-invalid": { category: "validation", hint: "Use a session id that an earlier run reported; it is a UUID." },
  "session-busy": {
    category: "validation",
    hint: "Wait until the other turn or process has left the session. Resume a session that exists instead of creating it.",
  },
  refused: { category: "validation", hint: "Rephrase the request. The model declined to answer it." },
  "turn-limit": { category: "validation", hint: "Raise the turn limit or split the task." },
  "budget-spent": { category: "validation", hint: "Raise the budget or split the task." },
  "connection-failed": { category: "network", hint: "Check the network connection, proxy and certificates." },
  "connection-lost": { category: "network", hint: "Retry. The connection broke during the answer." },
  "server-error": { category: "server", hint: "Retry in a moment, or use another provider." },
  overloaded: { category: "server", hint: "Retry in a moment, or use another provider.", traits: { replyStatus: 503 } },
  "cooling-down": { category: "server", hint: "Retry later, or use another provider.", traits: { replyStatus: 503 } },
  "stream-diverged": { category: "server", hint: "Retry. The CLI changed text that had already been shown." },
  "upstream-timeout": { category: "timeout", hint: "Retry, or use another provider." },
  "first-event-timeout": { category: "timeout", hint: "Raise timeouts.firstEventMs, or check that the CLI starts." },
  "idle-timeout": { category: "timeout", hint: "Raise timeouts.idleMs if the CLI needs more time without output." },
  "total-timeout": { category: "timeout", hint: "Raise timeouts.totalMs or split the task." },
  "cli-missing": { category: "not_found", hint: "Install the CLI or set its path." },
  "model-unknown": { category: "not_found", hint: "Choose a model that is available to this account." },
  "session-unknown": {
    category: "not_found",
    hint: "Resume in the directory where the session was created, or start a new session.",
    traits: { shouldFallback: false },
  },
  "provider-unknown": { category: "configuration", hint: "Choose one of the known providers." },
  "unknown-option": { category: "configuration", hint: "Update Coxswain, or install a checked version of the CLI." },
  "cli-too-new": { category: "configuration", hint: "Update Coxswain, or install a checked version of the CLI." },
  "own-tools-active": {
    category: "configuration",
    hint: "Update Coxswain, install a checked version of the CLI, or use agent mode.",
  },
  "cli-not-executable": { category: "not_found", hint: "Make the file executable or reinstall the CLI." },
  "mcp-server-unavailable": {
    category: "configuration",
    hint: "Check that the MCP server starts and answers, or leave out its `required`.",
  },
  "cli-misconfigured": { category: "configuration", hint: "Correct the setting that the message names." },
  "state-unusable": {
    category: "configuration",
    hint: "Make your state and temporary directories writable, and put no files into those of Coxswain.",
  },
  "start-failed": {
    category: "configuration",
    hint: "Free processes, memory or file handles, then retry.",
    traits: { shouldRetry: true },
  },
  interrupted: { category: "cancelled", hint: "Nothing to do. The run was cancelled on request." },
  "tool-denied": { category: "permission", hint: "Allow the tool with an allow pattern, or change the task." },
  "no-terminal-event": { category: "invalid_response", hint: "Retry. The CLI ended without a terminal event." },
  "output-truncated": {
    category: "invalid_response",
    hint: "Ask for a shorter answer or raise the output limit.",
    traits: { shouldRetry: false },
  },
  "schema-mismatch": {
    category: "invalid_response",
    hint: "Loosen the schema or describe it better in the prompt.",
    traits: { shouldRetry: false },
  },
  "tool-call-unreadable": {
    category: "invalid_response",
    hint: "Describe the tools better, or use a stronger model.",
    traits: { shouldRetry: false },
  },
  "tools-failing": {
    category: "invalid_response",
    hint: "Correct the tools, or describe their arguments better.",
    traits: { shouldRetry: false },
  },
  "upstream-garbled": {
    category: "invalid_response",
    hint: "Retry. If it fails again, check that the endpoint uses the right protocol.",
  },
  crashed: { category: "unknown", hint: "Run the CLI in a terminal to see the reason, or use another provider." },
  unclassified: { category: "unknown", hint: "Read the message, or run the CLI in a terminal to see more." },
} as const;

/** The specific reason of a failure: a closed list. */
export type FailureCode = keyof typeof CODES;

export const FAILURE_CODES: Readonly<Record<FailureCode, FailureCodeInfo>> = CODES;
