import type { FaultRule } from "../spec/provider.ts";

/** How Gemini 0.61.0 words its errors; fixtures/gemini/error-*, json-format-*, text-format-* and others. The order matters. */
export const GEMINI_FAULTS: readonly FaultRule[] = [
  { kind: "stdout-cut", code: "output-truncated", hint: "Shorten the prompt; Gemini lost the end of its output." },
  {
    text: /^Loop detected, stopping execution/,
    code: "output-truncated",
    hint: "Rephrase; Gemini stopped an answer that repeated itself.",
  },
  { kind: "no-request", code: "context-overflow" },
  { kind: "FatalTurnLimitedError", code: "turn-limit" },
  { text: /Reached max session turns|Maximum session turns exceeded/, code: "turn-limit" },
  { text: /API_KEY_INVALID|API key not valid/, code: "not-logged-in" },
  { text: /input token count.*exceeds the maximum number of tokens/, code: "context-overflow" },
  { text: /"code":\s?401\b|UNAUTHENTICATED/, code: "not-logged-in" },
  { text: /"code":\s?403\b|PERMISSION_DENIED/, code: "access-denied" },
  { text: /is not found for API version/, code: "model-unknown" },
  // Each daily quota prints the sentence of the quota of a minute as its cause.
  { text: /exhausted your daily quota|quota will reset after \d+h/, code: "quota-exhausted" },
  {
    text: /You exceeded your current quota|Resource has been exhausted|exhausted your capacity|Please retry in|Suggested retry after|"code":\s?429\b/,
    code: "rate-limited",
  },
  { text: /model is overloaded/, code: "overloaded" },
  { text: /"code":\s?5\d\d\b|service is currently unavailable/, code: "server-error" },
  { text: /fetch failed/, code: "connection-failed" },
  { text: /\[API Error: terminated\]|TypeError: terminated|other side closed/, code: "connection-lost" },
  {
    text: /is not valid JSON|API Error: .*(?: in JSON at position |end of JSON input)|Incomplete JSON segment/,
    code: "upstream-garbled",
  },
  { text: /response was blocked due to/, code: "refused" },
  { kind: "INVALID_STREAM", code: "upstream-garbled" },
  { text: /empty response|empty text response|no final response text|ended without a finish reason/, code: "upstream-garbled" },
  { text: /"code":\s?4\d\d\b/, code: "bad-request" },
  {
    text: /Please set an Auth method|you must specify the GEMINI_API_KEY|Update your environment and try again|Manual authorization is required/,
    code: "not-logged-in",
    hint: "Log in with `gemini`, or set GEMINI_API_KEY (GEMINI_DEFAULT_AUTH_TYPE says which login is meant).",
  },
  {
    text: /Invalid auth method selected/,
    code: "cli-misconfigured",
    hint: "Set security.auth.selectedType in ~/.gemini/settings.json.",
  },
  { text: /not running in a trusted directory/, code: "cli-misconfigured" },
  { text: /Error in .*settings\.json|Please fix the configuration file/, code: "cli-misconfigured" },
  { text: /missing system prompt file/, code: "cli-misconfigured" },
  { text: /No input provided via stdin/, code: "prompt-blank" },
  { text: /Invalid session identifier|No previous sessions found for this project/, code: "session-unknown" },
  { text: /Session ID ".*" already exists/, code: "session-busy" },
  { text: /Unknown argument|Invalid values:/, code: "unknown-option" },
  { exitCode: 41, code: "not-logged-in" },
  { exitCode: 44, code: "cli-misconfigured" },
  { exitCode: 52, code: "cli-misconfigured" },
  { exitCode: 53, code: "turn-limit" },
  { exitCode: 55, code: "cli-misconfigured" },
];
