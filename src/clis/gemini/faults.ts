import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of Gemini 0.61.0; fixtures/gemini/error-*, json-format-*, text-format-* and others. The order matters. */
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
  // Google sends this sentence for the limit of a minute (fixture pure-model-429).
  { text: /^\[API Error: Resource has been exhausted|RetryableQuotaError: Resource has been/, code: "rate-limited" },
  { text: /model is overloaded/, code: "overloaded" },
  {
    text: /is not valid JSON|API Error: .*(?: in JSON at position |end of JSON input)|Incomplete JSON segment/,
    code: "upstream-garbled",
  },
  { kind: "INVALID_STREAM", code: "upstream-garbled" },
  { text: /empty response|empty text response|no final response text|ended without a finish reason/, code: "upstream-garbled" },
  {
    text: /Please set an Auth method|you must specify the GEMINI_API_KEY|Update your environment and try again|Manual authorization is required/,
    code: "not-logged-in",
    hint: "Log in with `gemini`, or set GEMINI_API_KEY (GEMINI_DEFAULT_AUTH_TYPE selects the kind of login).",
  },
  {
    text: /Invalid auth method selected/,
    code: "cli-misconfigured",
    hint: "Set security.auth.selectedType in ~/.gemini/settings.json.",
  },
  { text: /Error in .*settings\.json|Please fix the configuration file/, code: "cli-misconfigured" },
  { text: /missing system prompt file/, code: "cli-misconfigured" },
  { text: /No input provided via stdin/, code: "prompt-blank" },
  { text: /Unknown argument|Invalid values:/, code: "unknown-option" },
  // The HTTP status of a failed request, modulo 256, for texts that no other rule matches.
  { exitCode: 144, code: "bad-request" },
  { exitCode: 145, code: "not-logged-in" },
  { exitCode: 147, code: "access-denied" },
  { exitCode: 148, code: "model-unknown" },
  { exitCode: 157, code: "prompt-too-large" },
  { exitCode: 173, code: "rate-limited" },
  { exitCode: 244, code: "server-error" },
  { exitCode: 246, code: "server-error" },
  { exitCode: 247, code: "server-error" },
  { exitCode: 248, code: "upstream-timeout" },
  { exitCode: 41, code: "not-logged-in" },
  { exitCode: 44, code: "cli-misconfigured" },
  { exitCode: 52, code: "cli-misconfigured" },
  { exitCode: 53, code: "turn-limit" },
  { exitCode: 55, code: "cli-misconfigured" },
];
