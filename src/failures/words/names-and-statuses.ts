import type { FailureCategory, FailureCode } from "../../spec/failure/failure-codes.ts";

export type ProtocolCategory = {
  readonly category: FailureCategory;
  /** As the protocol spells them: `_` and `.` stand for at most one separator, a number for an HTTP status. */
  readonly patterns: readonly string[];
  readonly code: FailureCode;
  /** Patterns with a more specific code than their category. */
  readonly codes?: Readonly<Record<string, FailureCode>>;
};

/** The error patterns of the provider protocol, in its order: the first category with a match wins. */
export const PROTOCOL_PATTERNS: readonly ProtocolCategory[] = [
  {
    category: "quota",
    patterns: "insufficient_quota quota_exceeded billing_hard_limit RESOURCE_EXHAUSTED credit_limit usage_limit".split(" "),
    code: "quota-exhausted",
  },
  {
    category: "rate_limit",
    patterns: "rate_limit rate.limit RATE_LIMIT_EXCEEDED too_many_requests 429 overloaded throttl*".split(" "),
    code: "rate-limited",
  },
  {
    category: "authentication",
    patterns:
      "invalid_api_key unauthorized UNAUTHENTICATED PERMISSION_DENIED authentication_failed not_authenticated 401 403".split(" "),
    code: "not-logged-in",
    codes: { PERMISSION_DENIED: "access-denied", 403: "access-denied" },
  },
  {
    category: "validation",
    patterns: "invalid_request malformed bad_request validation_error invalid_parameter 400".split(" "),
    code: "bad-request",
  },
  {
    category: "network",
    patterns:
      "ECONNRESET ETIMEDOUT ENOTFOUND ECONNREFUSED network_error connection_failed DEADLINE_EXCEEDED socket_hang_up".split(" "),
    code: "connection-failed",
    codes: { ECONNRESET: "connection-lost", socket_hang_up: "connection-lost" },
  },
  {
    category: "server",
    patterns: "internal_server_error service_unavailable bad_gateway 500 502 503 504".split(" "),
    code: "server-error",
  },
  { category: "timeout", patterns: "timed_out timeout SIGTERM SIGKILL".split(" "), code: "upstream-timeout" },
  {
    category: "not_found",
    patterns: "command_not_found ENOENT not_found model_not_found 404".split(" "),
    // The error does not name what is missing.
    code: "unclassified",
    codes: {
      command_not_found: "cli-missing",
      ENOENT: "cli-missing",
      model_not_found: "model-unknown",
      404: "model-unknown",
    },
  },
  {
    category: "configuration",
    patterns: "not_configured missing_config invalid_config cli_not_installed".split(" "),
    code: "cli-misconfigured",
  },
];

/** Compiles a pattern of the protocol; undefined for a number, which is an HTTP status. */
export function compilePattern(spelling: string): RegExp | undefined {
  if (/^\d+$/.test(spelling)) return undefined;
  return new RegExp(`(?<![A-Za-z0-9])${spelling.replace("*", "").replace(/[_.]/g, "[\\s_.-]?")}`, "i");
}

/** The failure code of an upstream HTTP status, for errors whose text is not more specific. */
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

/** A word that marks the number after it as a status, and the separators allowed between them. */
const NAMED =
  /(?:error|rejected|http(?:\/\d(?:\.\d)?)?|status|code|api)[\s:=_#("'`\\[{<>*,|·–—]{0,8}-?([45]\d\d)(?!\w|[,:]\d|[./-]\w|\/)/gi;
const ALONE = /^[\s"'([{]*([45]\d\d)[\s"')\].}!]*$/;

/** A number before a unit is a count ("Error: 500 lines"), not a status. Reason phrases and paths into a body do not match. */
const COUNTED =
  /^[ -]?(?:%|(?:m?s|secs|seconds|mins?|minutes|hours|days|times|bytes|[kKMG]i?B|lines|files|items|tokens|characters|chars|words|rows|records|entries|tests|steps|tries|retries|attempts|errors|warnings|requests|messages|pages|results|users|objects|chunks)(?!\w|\.\w|:))/;
const AFTER_EXIT = /\bexit(?:ed|s|ing)?\b[^.;,\n]{0,24}$/i;

/** The OpenAI SDK writes the status first: `403 Your team has no credits`. A number before a plural noun counts something. */
const LEADING = /^[^\w\n#]{0,8}([45]\d\d)\]?:?\s(?!(?!status|access)[a-z]+s\b)(?=["'{[(<A-Za-z\d])/;
const PHRASED =
  /(?<![\w.:/-])(4(?:00(?= Bad Request)|01(?= Unauthorized)|02(?= Payment)|03(?= Forbidden)|04(?= Not Found)|08(?= Request Time)|13(?= (?:Payload|Content|Request Entity) Too)|22(?= Unprocessable)|29(?= Too Many))|5(?:00(?= Internal)|02(?= Bad Gateway)|03(?= Service Unavail)|04(?= Gateway Time)))/gi;

/** A status at the end of what failed: `Failed to list models: 403`. */
const FAILED = /\bfail\w*\b[^\n]{0,60}?: ([45]\d\d)(?=\s*$|[ ,;]\s?["'{([A-Z\d])/gim;

/** The HTTP statuses in an error text: alone, at its beginning, right after error, rejected, http, status, code or api, after what failed, or before their reason. */
export function statusesInText(text: string): readonly number[] {
  const alone = ALONE.exec(text)?.[1];
  if (alone !== undefined) return [Number(alone)];
  const leading = [LEADING.exec(text)].filter((match) => match !== null);
  const named = [...leading, ...text.matchAll(NAMED), ...text.matchAll(FAILED)].filter((match) => isStatus(text, match));
  return [...named, ...text.matchAll(PHRASED)].map((match) => Number(match[1]));
}

function isStatus(text: string, match: RegExpExecArray): boolean {
  const [whole] = match;
  if (!beginsWord(text, match.index) || AFTER_EXIT.test(text.slice(Math.max(0, match.index - 40), match.index))) return false;
  // `error-429` is a status; the number in `code -429` is negative.
  if (/[^a-z]-\d+$/i.test(whole)) return false;
  return !COUNTED.test(text.slice(match.index + whole.length, match.index + whole.length + 24));
}

/** True if a word begins here: after anything but a letter or digit, or at a capital as in statusCode and APIError. */
function beginsWord(text: string, index: number): boolean {
  const [before = "", first = "", second = ""] = [text[index - 1], text[index], text[index + 1]];
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[A-Z]/.test(first) && (/[a-z]/.test(before) || /[a-z]/.test(second));
}
