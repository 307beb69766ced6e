import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import type { JsonObject } from "../../src/spec/json.ts";

/** How a process reports a failure: with a result line with or without an error name, on stderr, or with its exit. */
export type FailureWords =
  | { readonly result: string; readonly kind?: string; readonly fields?: JsonObject }
  | { readonly stderr: string }
  | { readonly dies: readonly [Death, ...Death[]] }
  /** It prints nothing more and does not end. */
  | { readonly isSilent: true };

/** The end of a process without an error text. */
export type Death = { readonly exit: number } | { readonly die: "SIGKILL" | "SIGSEGV" };

/** The error name for a code for which Claude Code has no text. */
export function ownKind(code: FailureCode): string {
  return `soak_${code}`;
}

/** Codes that a process can cause but Claude Code has no text for. */
export const WORDLESS: readonly FailureCode[] = [
  "option-unsupported",
  "stream-diverged",
  "cli-too-new",
  "own-tools-active",
  "tool-denied",
  "mcp-server-unavailable",
  "tool-call-unreadable",
];

/** The error texts of Claude Code and of its service, from its fixtures. */
const WORDS: Readonly<Partial<Record<FailureCode, FailureWords>>> = {
  "rate-limited": {
    result: "API Error: Request rejected (429) · this may be a temporary capacity issue.",
    kind: "rate_limit",
    fields: { api_error_status: 429 },
  },
  overloaded: { result: "API Error: 529 Overloaded.", kind: "server_error", fields: { api_error_status: 529 } },
  "server-error": { result: "API Error: 500 Internal server error", kind: "server_error", fields: { api_error_status: 500 } },
  "not-logged-in": { result: "Not logged in · Please run /login", kind: "authentication_failed" },
  "access-denied": {
    result: "Failed to authenticate. API Error: 403 Request not allowed",
    kind: "authentication_failed",
    fields: { api_error_status: 403 },
  },
  "bad-request": { result: "API Error: 400 text content blocks must be non-empty", kind: "invalid_request" },
  "prompt-too-large": { result: "Request too large (max 32MB).", fields: { api_error_status: 413 } },
  "context-overflow": { result: "Prompt is too long" },
  "session-invalid": { stderr: "Error: Invalid session ID. Must be a valid UUID." },
  "session-busy": { stderr: "Error: Session ID 6f2c1c0e is already in use." },
  "session-unknown": { stderr: "No conversation found with session ID: 6f2c1c0e" },
  "unknown-option": { stderr: "error: unknown option '--nonsense'" },
  "cli-misconfigured": { stderr: "--dangerously-skip-permissions cannot be used with root/sudo privileges" },
  refused: { result: "The model is unable to respond to this request", fields: { stop_reason: "refusal" } },
  "turn-limit": { result: "", fields: { subtype: "error_max_turns" } },
  "budget-spent": { result: "", fields: { subtype: "error_max_budget_usd" } },
  "schema-mismatch": { result: "", fields: { subtype: "error_max_structured_output_retries" } },
  "connection-failed": { result: "API Error: Unable to connect to API (ECONNREFUSED)" },
  "connection-lost": { result: "API Error: Connection to the API was lost (ECONNRESET)" },
  "upstream-timeout": { result: "Request timed out" },
  "model-unknown": { result: "There's an issue with the selected model (x). It may not exist.", kind: "model_not_found" },
  "output-truncated": { result: "API Error: the response exceeded the 32 output token maximum.", kind: "max_output_tokens" },
  "upstream-garbled": { result: "API Error: Failed to parse JSON" },
  "no-terminal-event": { dies: [{ exit: 0 }, { exit: 3 }] },
  crashed: { dies: [{ die: "SIGKILL" }, { die: "SIGSEGV" }, { exit: 139 }] },
  unclassified: { result: "Something odd came up." },
  "first-event-timeout": { isSilent: true },
  "idle-timeout": { isSilent: true },
  "total-timeout": { isSilent: true },
};

/** How a process reports this failure; a code without a text of Claude Code has an error name of ours. */
export function wordsFor(code: FailureCode): FailureWords {
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (!WORDLESS.includes(code)) throw new RangeError(`No process of a soak can fail with ${code}.`);
  return { result: "As the script wants it.", kind: ownKind(code) };
}

/** The content of a quota error: the reset time, and whether it is about one model. */
export type QuotaFacts = { readonly resetAt?: number; readonly isAboutModel?: boolean };

/** The text of a spent quota; `variant` chooses among texts with the same meaning. */
export function quotaWords({ resetAt, isAboutModel = false }: QuotaFacts, variant: number): string {
  const about = isAboutModel ? [" on this model", " for {model}"][variant % 2] : "";
  if (resetAt === undefined) return `You've hit your usage limit${about}.`;
  if (variant % 3 === 0) return `Claude AI usage limit${about} was met. "resets_at":${resetAt / 1000}`;
  return `You've hit your usage limit${about}, it resets at ${new Date(resetAt).toISOString().replace(".000", "")}`;
}

/** The text of a wait. */
export function waitWords(retryAfterMs: number): string {
  return retryAfterMs >= 60_000 ? ` Try again in ${retryAfterMs / 60_000} minutes.` : ` Retry in ${retryAfterMs}ms.`;
}
