import type { FailureCode } from "../spec/failure-codes.ts";

/** What an HTTP status of the upstream service means when the CLI says nothing better. */
export function codeOfStatus(status: number): FailureCode | undefined {
  const known = STATUS_CODES[status];
  if (known !== undefined) return known;
  if (status >= 500) return "server-error";
  return status >= 400 ? "bad-request" : undefined;
}

const STATUS_CODES: Readonly<Record<number, FailureCode>> = {
  401: "not-logged-in",
  402: "quota-exhausted",
  403: "access-denied",
  404: "model-unknown",
  408: "upstream-timeout",
  413: "prompt-too-large",
  429: "rate-limited",
  504: "upstream-timeout",
  529: "overloaded",
};

/** A status counts only where an error names it as one: `API Error: 500`, `HTTP 429`, `status code 503`. */
export function statusInText(text: string): number | undefined {
  const match = /\b(?:API Error|HTTP(?:\/[\d.]+)?|status(?: code)?)[:\s]+\(?([45]\d\d)\b/i.exec(text);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Wording shared by many CLIs; used for error texts and stderr of failed runs only. */
export const SHARED_TEXT_FAULTS: readonly (readonly [RegExp, FailureCode])[] = [
  [/unknown option|unexpected argument|unrecognized (?:option|argument)/i, "unknown-option"],
  [
    /not logged in|please (?:log ?in|run \S*login)|invalid api key|unauthorized|token has expired|failed to authenticate|authentication.failed/i,
    "not-logged-in",
  ],
  [/credit balance|insufficient.quota|quota.exceeded|usage limit/i, "quota-exhausted"],
  [/rate.?limit|too many requests/i, "rate-limited"],
  [/ECONNRESET|EPIPE|socket hang up/, "connection-lost"],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|unable to connect|certificate/i, "connection-failed"],
  [/ETIMEDOUT|timed out/i, "upstream-timeout"],
  [/overloaded/i, "overloaded"],
];
